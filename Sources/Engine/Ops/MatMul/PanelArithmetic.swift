import OcellusKernelABI

/// The GEMM of one arithmetic, which packs weights in panels and computes blocks.
protocol PanelArithmetic: Sendable {
  /// The name of the arithmetic in kernel names.
  var name: String { get }
  /// The number of columns of one panel.
  var panelColumns: Int { get }
  /// The sizes of an element of the input, of the weights and of the output.
  var inputBytes: Int { get }
  var weightBytes: Int { get }
  var outputBytes: Int { get }
  /// The byte that a weight of zero consists of.
  var zeroWeight: UInt8 { get }

  /// Returns the rows of a tile.
  func tileRows(_ patches: PatchGeometry) -> Int
  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int
  /// Returns a form of the weights of `columns` columns that nodes can share, if there is one.
  func sharedPanels(columns: Int, _ patches: PatchGeometry) -> SharedPanels?
  /// Packs the weights of columns that belong to these output channels.
  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer)
  func scratchByteCount(_ patches: PatchGeometry) -> Int
  func run(_ block: PanelBlock)
}

/// Packed weights that nodes share although their scales and biases differ.
struct SharedPanels {
  let byteCount: Int
  /// The size of the data that every node packs for itself, such as scales and biases.
  let unsharedByteCount: Int
  let pack: (_ filter: UnsafeRawPointer, _ packed: UnsafeMutableRawPointer) -> Void
  /// Packs a node's own data, for weights that were packed from the same filter.
  let packNodeData:
    (_ filter: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ packed: UnsafeMutableRawPointer) ->
      Void
}

extension PanelArithmetic {
  func sharedPanels(columns _: Int, _: PatchGeometry) -> SharedPanels? { nil }

  /// Returns the bytes of an output pixel that no window covers: the results of the biases alone.
  func biasPixel(channels: Int) -> [UInt8] {
    let patches = PatchGeometry(matrixOf: 1, depth: 1)
    // These zeros also serve as the input, whose values do not matter.
    let zeros = [UInt8](repeating: zeroWeight, count: channels * weightBytes + 64)
    let packedBytes = packedByteCount(columns: channels, patches)
    let byteCount = ArenaPlanner.aligned(packedBytes) + scratchByteCount(patches)
    return withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 64) { memory in
      guard let packed = memory.baseAddress else { return [] }
      let scratch = packed + ArenaPlanner.aligned(packedBytes)
      return zeros.withUnsafeBytes { zeros in
        guard let weights = zeros.baseAddress else { return [] }
        pack(weights, channels: Array(0..<channels), patches, to: packed)
        return [UInt8](unsafeUninitializedCapacity: channels * outputBytes) { bytes, count in
          guard let output = bytes.baseAddress else { return }
          run(
            PanelBlock(
              patches: patches, input: weights, packed: UnsafeRawPointer(packed),
              output: UnsafeMutableRawPointer(output), outputStride: channels, rows: 0..<1,
              columns: 0..<channels, epilogue: nil, scratch: scratch))
          count = channels * outputBytes
        }
      }
    }
  }
}

/// The operands of one block of a GEMM in any arithmetic, with the rounding of its rows in the
/// hybrid one.
typealias PanelBlock = GEMMBlock<PanelRounding?>

/// The rounding of a block's rows.
struct PanelRounding {
  /// The rounding of row 0.
  var rows: UnsafePointer<RowQuantization>
  /// 1 if every row was rounded by itself, else 0.
  var stride: Int
}

extension FloatEpilogue {
  init(_ range: ClosedRange<Float>, _ numerics: Numerics) {
    self.init(minimum: range.lowerBound, maximum: range.upperBound, numerics: numerics)
  }
}

/// GEMM of floats, whose factors may be rounded to bfloat16.
struct FloatPanels: PanelArithmetic {
  var kernel: FloatGEMM
  /// Empty, or one for each output channel.
  let bias: [Float]
  let range: ClosedRange<Float>
  let numerics: Numerics
  /// Whether the kernel uses Winograd's method, which computes output rows in pairs.
  var isWinograd = false
  /// Whether the kernel rounds factors to bfloat16.
  var multipliesBFloat16 = false

  var name: String {
    if multipliesBFloat16 { return "bfloat16" }
    return isWinograd ? "float32 (\(winogradMark))" : "float32"
  }
  var panelColumns: Int { kernel.panelColumns }
  var inputBytes: Int { 4 }
  var weightBytes: Int { 4 }
  var outputBytes: Int { 4 }
  var zeroWeight: UInt8 { 0 }

  func tileRows(_ patches: PatchGeometry) -> Int {
    isWinograd ? patches.winogradRows : kernel.tileRows
  }

  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int {
    kernel.packedByteCount(columns, patches)
  }

  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer
  ) {
    let columnBias = bias.isEmpty ? [] : channels.map { bias[$0] }
    columnBias.withUnsafeBufferPointer { columnBias in
      kernel.pack(
        FloatPackingArguments(
          filter: filter.assumingMemoryBound(to: Float.self),
          bias: columnBias.isEmpty ? nil : columnBias.baseAddress, columns: channels.count,
          patches: patches, packed: packed))
    }
  }

  func scratchByteCount(_ patches: PatchGeometry) -> Int { kernel.scratchByteCount(patches) }

  func run(_ block: PanelBlock) {
    kernel.run(
      block.finished(by: FloatEpilogue(range, numerics)))
  }
}

/// GEMM of 8-bit integers.
struct QuantizedPanels: PanelArithmetic {
  let name: String
  var kernel: QuantizedGEMM
  let arithmetic: QuantizedKernelSpec
  /// Empty, or one for each output channel.
  let bias: [Int32]

  var panelColumns: Int { kernel.panelColumns }
  var inputBytes: Int { 1 }
  var weightBytes: Int { 1 }
  var outputBytes: Int { 1 }
  var zeroWeight: UInt8 { UInt8(truncatingIfNeeded: arithmetic.filter.zeroPoint) }

  func tileRows(_ patches: PatchGeometry) -> Int { kernel.tileRows(patches) }

  func packedByteCount(columns: Int, _ patches: PatchGeometry) -> Int {
    kernel.packedByteCount(columns, patches)
  }

  func sharedPanels(columns: Int, _ patches: PatchGeometry) -> SharedPanels? {
    let byteCount = kernel.sharedWeights.byteCount(columns, patches.depth)
    guard byteCount > 0 else { return nil }
    return SharedPanels(
      byteCount: byteCount, unsharedByteCount: kernel.sharedWeights.unsharedByteCount(columns),
      pack: { filter, packed in
        kernel.sharedWeights.pack(
          packing(filter, columns: columns, patches, .sums, bias: nil, to: packed))
      },
      packNodeData: { filter, weights, packed in
        pack(filter, channels: Array(0..<columns), patches, shared: weights, to: packed)
      })
  }

  func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    to packed: UnsafeMutableRawPointer
  ) {
    pack(filter, channels: channels, patches, shared: nil, to: packed)
  }

  private func pack(
    _ filter: UnsafeRawPointer, channels: [Int], _ patches: PatchGeometry,
    shared: UnsafeRawPointer?, to packed: UnsafeMutableRawPointer
  ) {
    let columnBias = bias.isEmpty ? [] : channels.map { bias[$0] }
    arithmetic.withScaling(
      of: channels, bias: columnBias,
      column: { WeightColumn(start: filter + $0 * patches.depth, count: patches.depth) }
    ) { scaling, bias in
      var arguments = packing(
        filter, columns: channels.count, patches, scaling, bias: bias, to: packed)
      arguments.sharedWeights = shared
      kernel.pack(arguments)
    }
  }

  private func packing(
    _ filter: UnsafeRawPointer, columns: Int, _ patches: PatchGeometry, _ scaling: SumScaling,
    bias: UnsafePointer<Int32>?, to packed: UnsafeMutableRawPointer
  ) -> QuantizedPackingArguments {
    QuantizedPackingArguments(
      filter: filter, filterFormat: arithmetic.filter, inputFormat: arithmetic.input, bias: bias,
      requantization: scaling, columns: columns, patches: patches, packed: packed)
  }

  func scratchByteCount(_ patches: PatchGeometry) -> Int { kernel.scratchByteCount(patches) }

  func run(_ block: PanelBlock) {
    kernel.run(
      block.finished(
        by: QuantizedEpilogue(inputFormat: arithmetic.input, range: arithmetic.range)))
  }
}
