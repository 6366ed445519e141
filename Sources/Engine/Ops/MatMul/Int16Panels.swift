import OcellusKernelABI

/// GEMM of 16-bit inputs with 8-bit weights.
struct Int16Panels: PanelArithmetic {
  let kernel: Int16GEMM
  let arithmetic: Int16KernelSpec

  var name: String { "int16×int8" }
  var panelColumns: Int { kernel.panelColumns }
  var inputBytes: Int { 2 }
  var weightBytes: Int { 1 }
  var outputBytes: Int { 2 }
  var zeroWeight: UInt8 { 0 }

  func tileRows(_: PatchGeometry) -> Int { kernel.tileRows }

  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int {
    kernel.packedByteCount(columns, patches.depth)
  }

  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer
  ) {
    let columnBias = arithmetic.bias.isEmpty ? [] : channels.map { arithmetic.bias[$0] }
    columnBias.withUnsafeBufferPointer { columnBias in
      arithmetic.withMultipliers(of: channels) { multipliers in
        kernel.pack(
          Int16PackingArguments(
            filter: filter, bias: columnBias.isEmpty ? nil : columnBias.baseAddress,
            requantization: multipliers, columns: channels.count, depth: patches.depth,
            packed: packed))
      }
    }
  }

  func scratchByteCount(_ patches: PatchGeometry) -> Int { kernel.scratchByteCount(patches) }

  func run(_ block: PanelBlock) {
    kernel.run(
      block.finished(by: arithmetic.range))
  }
}
