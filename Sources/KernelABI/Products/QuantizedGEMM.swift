/// One strategy of quantized matrix products: 8-bit patches × 8-bit weights, summed in
/// 32 bits, plus bias, requantized per column.
///
/// It serves CONV_2D and FULLY_CONNECTED of int8 and uint8, and with `SumScaling.sums` the
/// integer part of hybrid ones. Every result is exact.
public struct QuantizedGEMM: Sendable {
  /// The columns of one packed panel; work is split between workers at multiples of it.
  public var panelColumns: Int
  /// Whether rows are best made of signed bytes, where that is the caller's choice: others may have to be copied.
  public var prefersSignedRows: Bool
  /// The rows that are computed at once, those of a register tile or of whole lines: blocks begin at multiples of it.
  public var tileRows: @Sendable (PatchGeometry) -> Int
  /// The size of the packed weights of `columns` columns.
  public var packedByteCount: @Sendable (_ columns: Int, PatchGeometry) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void
  /// How nodes share weights, where strategies let them.
  public var sharedWeights: SharedWeights
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (ProductBlock<QuantizedFinish>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, prefersSignedRows: Bool,
    tileRows: @escaping @Sendable (PatchGeometry) -> Int,
    packedByteCount: @escaping @Sendable (Int, PatchGeometry) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void, sharedWeights: SharedWeights,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (ProductBlock<QuantizedFinish>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.prefersSignedRows = prefersSignedRows
    self.tileRows = tileRows
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.sharedWeights = sharedWeights
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// Weights that lie apart from the biases and multipliers that go with them: the steps of an unrolled recurrent
/// network multiply with the same ones, each at scales of its own.
public struct SharedWeights: Sendable {
  /// The size of such weights, or 0 where the strategy has none.
  public var byteCount: @Sendable (_ columns: Int, _ depth: Int) -> Int
  /// The size of what is packed beside them.
  public var byteCountBeside: @Sendable (_ columns: Int) -> Int
  /// Packs the weights alone into `packed`.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    byteCount: @escaping @Sendable (Int, Int) -> Int,
    byteCountBeside: @escaping @Sendable (Int) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void
  ) {
    self.byteCount = byteCount
    self.byteCountBeside = byteCountBeside
    self.pack = pack
  }

  /// What strategies have that keep weights with the rest.
  public static let none = SharedWeights(
    byteCount: { _, _ in 0 }, byteCountBeside: { _ in 0 }, pack: { _ in })
}

/// What `QuantizedGEMM.pack` reads and where it writes.
public struct QuantizedPackingArguments {
  /// The weights: `columns` rows of `depth` contiguous bytes (the OHWI order of CONV_2D).
  public var filter: UnsafeRawPointer
  /// The format of the weights.
  public var filterFormat: QuantizedFormat
  /// The format of the activations, whose zero point goes into the packed bias.
  public var inputFormat: QuantizedFormat
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The scaling of the sums, which goes into the panels.
  public var requantization: SumScaling
  /// The output channels.
  public var columns: Int
  /// How the rows that are multiplied with these weights are cut out of their input.
  public var patches: PatchGeometry
  /// The elements of one patch.
  public var depth: Int
  /// What `SharedWeights.pack` made of the same weights, or `nil` to pack them with the rest.
  public var sharedWeights: UnsafeRawPointer?
  /// The destination of `packedByteCount(columns, patches)` bytes, or of those of `SharedWeights`.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, filterFormat: QuantizedFormat, inputFormat: QuantizedFormat,
    bias: UnsafePointer<Int32>?, requantization: SumScaling, columns: Int,
    patches: PatchGeometry, sharedWeights: UnsafeRawPointer? = nil,
    packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.filterFormat = filterFormat
    self.inputFormat = inputFormat
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.patches = patches
    depth = patches.depth
    self.sharedWeights = sharedWeights
    self.packed = packed
  }
}
