import OcellusKernelABI

/// GEMM of floats that are rounded to 8 bits with quantized weights, scaled back to floats.
struct HybridPanels: PanelArithmetic {
  let kernel: QuantizedGEMM
  let weights: HybridWeights
  /// Empty, or one for each output channel.
  let bias: [Float]

  /// The format in which kernels see the weights.
  static let weightFormat = QuantizedFormat(isSigned: true, zeroPoint: 0)

  /// Returns the format in which kernels see rounded floats, for the zero point of signed ones.
  private func inputFormat(zeroPoint: Int32) -> QuantizedFormat {
    let isSigned = kernel.prefersSignedRows
    return QuantizedFormat(isSigned: isSigned, zeroPoint: isSigned ? zeroPoint : zeroPoint + 128)
  }

  var name: String { "float32×int8" }
  var panelColumns: Int { kernel.panelColumns }
  var inputBytes: Int { 1 }
  var weightBytes: Int { 1 }
  var outputBytes: Int { 4 }
  var zeroWeight: UInt8 { 0 }

  func tileRows(_ patches: PatchGeometry) -> Int { kernel.tileRows(patches) }

  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int {
    kernel.packedByteCount(columns, patches)
  }

  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer
  ) {
    weights.withScaling(of: channels, bias: bias) { requantization in
      kernel.pack(
        QuantizedPackingArguments(
          filter: filter, filterFormat: Self.weightFormat,
          inputFormat: inputFormat(zeroPoint: 0), bias: nil,
          requantization: requantization, columns: channels.count, patches: patches,
          packed: packed))
    }
  }

  func scratchByteCount(_ patches: PatchGeometry) -> Int { kernel.scratchByteCount(patches) }

  /// - Precondition: the rows of a block whose windows leave the input were rounded alike.
  func run(_ block: PanelBlock) {
    guard let rounding = block.epilogue else { return }
    kernel.run(
      block.finished(
        by: QuantizedEpilogue(
          inputFormat: inputFormat(zeroPoint: rounding.rows.pointee.zeroPoint),
          range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
          hybrid: HybridScaling(
            rows: rounding.rows, stride: rounding.stride, order: weights.order,
            minimum: weights.range.lowerBound, maximum: weights.range.upperBound))))
  }
}

extension HybridWeights {
  /// Calls `body` with the scales and biases of columns that belong to these channels.
  func withScaling(
    of channels: [Int], bias: [Float], _ body: (SumScaling) -> Void
  ) {
    let factors = channels.map(scale(of:))
    let biases = bias.isEmpty ? [] : channels.map { bias[$0] }
    factors.withUnsafeBufferPointer { factors in
      biases.withUnsafeBufferPointer { biases in
        guard let start = factors.baseAddress else { return }
        body(.hybrid(scales: start, bias: biases.isEmpty ? nil : biases.baseAddress))
      }
    }
  }
}
