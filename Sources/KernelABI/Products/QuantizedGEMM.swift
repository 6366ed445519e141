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
  /// The size of the packed weights of `columns` columns of `depth` elements in so many runs.
  public var packedByteCountOfRuns: @Sendable (_ columns: Int, _ depth: Int, _ runs: Int) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (QuantizedGEMMArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, tileRows: Int,
    packedByteCountOfRuns: @escaping @Sendable (Int, Int, Int) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (QuantizedGEMMArguments) -> Void
  ) {
    self.panelColumns = panelColumns
    self.tileRows = tileRows
    self.packedByteCountOfRuns = packedByteCountOfRuns
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }

  /// The size of the packed weights of `columns` columns of `depth` elements in one run.
  public func packedByteCount(_ columns: Int, _ depth: Int) -> Int {
    packedByteCountOfRuns(columns, depth, 1)
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
  /// The destination of `packedByteCountOfRuns(columns, depth, runs)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, filterFormat: QuantizedFormat, inputFormat: QuantizedFormat,
    bias: UnsafePointer<Int32>?, requantization: SumScaling, columns: Int, depth: Int,
    runs: Int = 1, packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.filterFormat = filterFormat
    self.inputFormat = inputFormat
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.depth = depth
    self.runs = runs
    self.packed = packed
  }
}

/// The operands of one block of a quantized matrix product.
@frozen public struct QuantizedGEMMArguments {
  /// How the rows are cut out of `input`.
  public var patches: PatchGeometry
  /// The first byte of the first pixel (plus the group's first channel).
  public var input: UnsafeRawPointer
  /// The format that `packed` was made for; padding is filled with its zero point.
  public var inputFormat: QuantizedFormat
  /// The packed weights, which also say how the sums are scaled.
  public var packed: UnsafeRawPointer
  /// The element of row 0 and column 0: bytes, or four bytes each where the weights were packed for
  /// sums or floats.
  public var output: UnsafeMutableRawPointer
  /// The elements from one output row to the next.
  public var outputStride: Int
  /// The rows of the product to compute.
  public var rows: Range<Int>
  /// The columns of the product to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// The zero point and range of the output bytes; sums ignore it.
  public var range: QuantizedRange
  /// How inputs were rounded, where the weights were packed for `SumScaling.hybrid`.
  public var hybrid: HybridScaling?
  /// Memory of `scratchByteCount(patches)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    patches: PatchGeometry, input: UnsafeRawPointer, inputFormat: QuantizedFormat,
    packed: UnsafeRawPointer, output: UnsafeMutableRawPointer, outputStride: Int,
    rows: Range<Int>, columns: Range<Int>, range: QuantizedRange,
    hybrid: HybridScaling? = nil, scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.inputFormat = inputFormat
    self.packed = packed
    self.output = output
    self.outputStride = outputStride
    self.rows = rows
    self.columns = columns
    self.range = range
    self.hybrid = hybrid
    self.scratch = scratch
  }
}
