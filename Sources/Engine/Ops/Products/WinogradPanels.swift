import OcellusKernelABI

/// What names of such kernels contain.
package let winogradMark = "Winograd"

/// Convolutions of bytes, several pixels at once.
struct WinogradPanels<Bytes: BytePanels>: PanelArithmetic {
  /// The same convolution, pixel by pixel.
  let bytes: Bytes
  let kernel: QuantizedWinograd
  let tileRows: Int

  var name: String { "\(bytes.name) (\(winogradMark))" }
  var panelColumns: Int { kernel.panelColumns }
  var inputBytes: Int { bytes.inputBytes }
  var weightBytes: Int { bytes.weightBytes }
  var outputBytes: Int { bytes.outputBytes }
  var zeroWeight: UInt8 { bytes.zeroWeight }

  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int {
    kernel.packedByteCount(columns, patches.channels)
  }

  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer
  ) {
    bytes.pack(filter, channels: channels, patches, to: packed, by: kernel.pack)
  }

  func scratchByteCount(_ patches: PatchGeometry) -> Int { kernel.scratchByteCount(patches) }

  func run(_ block: PanelBlock) {
    if let finish = bytes.finish(block.finish) { kernel.run(block.finished(by: finish)) }
  }
}

extension PatchGeometry {
  /// The rows of lines in whole pairs, each with the one that is a tap of the window further.
  var winogradRows: Int { 2 * dilationHeight * outputWidth }
}

extension MatrixProduct {
  /// The kernel for several pixels of floats at once, if it suits; weights must be finite.
  ///
  /// Its bits are others than the official ones, as those of fused products are. With fewer channels what is done beside
  /// the products takes as long as it saves. The choice must not depend on the processor: results are the same on all.
  func winograd(_ context: PlanContext) -> FloatGEMM? {
    let hasEnough =
      patches.channels >= 24 && columnCount >= 8 || patches.channels >= 16 && columnCount >= 32
    guard context.numerics == .fast, patches.suitsWinograd, hasEnough else { return nil }
    return context.kernels.floatWinograd
  }

  /// The kernel for several pixels at once, if it suits products with such weights.
  func winograd(_ weights: QuantizedFormat, _ context: PlanContext) -> QuantizedWinograd? {
    context.kernels.quantizedWinograd.flatMap { kernel in
      kernel.suits(patches, columnCount, weights) ? kernel : nil
    }
  }
}
