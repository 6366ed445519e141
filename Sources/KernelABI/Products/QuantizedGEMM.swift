/// The quantized matrix product of one instruction set: 8-bit patches × 8-bit weights, summed in
/// 32 bits, plus bias, requantized per column.
///
/// It serves CONV_2D and FULLY_CONNECTED of int8 and uint8, and with `SumScaling.sums` the
/// integer part of hybrid ones. Every result is exact.
public struct QuantizedGEMM: Sendable {
  /// The columns of one packed panel; work is split between workers at multiples of it.
  public var panelColumns: Int
  /// The rows of one register tile; splitting at multiples of it wastes nothing.
  public var tileRows: Int
  /// So many rows or fewer, pixels, are multiplied with weights that are packed for just that.
  public var fewRows: Int
  /// Whether rows are best made of signed bytes, where that is the caller's choice: others may have to be copied.
  public var prefersSignedRows: Bool
  /// The size of the packed weights of `columns` columns of `depth` elements in so many runs.
  public var packedByteCountOfRuns: @Sendable (_ columns: Int, _ depth: Int, _ runs: Int) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void
  /// How products with few rows share weights.
  public var sharedWeights: SharedWeights
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (ProductBlock<QuantizedFinish>) -> Void
  /// The same for processors that flip bits while they multiply: rows of more columns stay where they are.
  public var runFlipping: @Sendable (ProductBlock<QuantizedFinish>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, tileRows: Int, fewRows: Int, prefersSignedRows: Bool,
    packedByteCountOfRuns: @escaping @Sendable (Int, Int, Int) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void, sharedWeights: SharedWeights,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (ProductBlock<QuantizedFinish>) -> Void,
    runFlipping: @escaping @Sendable (ProductBlock<QuantizedFinish>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.tileRows = tileRows
    self.fewRows = fewRows
    self.prefersSignedRows = prefersSignedRows
    self.packedByteCountOfRuns = packedByteCountOfRuns
    self.pack = pack
    self.sharedWeights = sharedWeights
    self.scratchByteCount = scratchByteCount
    self.run = run
    self.runFlipping = runFlipping
  }

  /// The size of the packed weights of `columns` columns of `depth` elements in one run.
  public func packedByteCount(_ columns: Int, _ depth: Int) -> Int {
    packedByteCountOfRuns(columns, depth, 1)
  }
}

/// Weights that lie apart from the biases and multipliers that go with them, for products with few rows:
/// the steps of an unrolled recurrent network multiply with the same ones, each at scales of its own.
public struct SharedWeights: Sendable {
  /// The size of such weights, or 0 where columns are so few that there are none.
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
  /// The elements of one patch.
  public var depth: Int
  /// The runs of equal length that the patch is found in: `PatchGeometry.runs`, or one.
  public var runs: Int
  /// Whether `run` is only asked for products with `fewRows`.
  public var isForFewRows: Bool
  /// What `SharedWeights.pack` made of the same weights, or `nil` to pack them with the rest.
  public var sharedWeights: UnsafeRawPointer?
  /// The destination of `packedByteCountOfRuns(columns, depth, runs)` bytes, or of those of `SharedWeights`.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, filterFormat: QuantizedFormat, inputFormat: QuantizedFormat,
    bias: UnsafePointer<Int32>?, requantization: SumScaling, columns: Int, depth: Int,
    runs: Int = 1, isForFewRows: Bool = false, sharedWeights: UnsafeRawPointer? = nil,
    packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.filterFormat = filterFormat
    self.inputFormat = inputFormat
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.depth = depth
    self.runs = runs
    self.isForFewRows = isForFewRows
    self.sharedWeights = sharedWeights
    self.packed = packed
  }
}
