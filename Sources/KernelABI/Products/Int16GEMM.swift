/// The matrix product of 16-bit patches with 8-bit weights of one instruction set: summed exactly
/// in 64 bits, plus bias, requantized per column to 16 bits.
///
/// It serves CONV_2D, FULLY_CONNECTED and TRANSPOSE_CONV of int16. Every result is exact.
public struct Int16GEMM: Sendable {
  /// The columns of one packed panel; work is split between workers at multiples of it.
  public var panelColumns: Int
  /// The rows of one register tile; splitting at multiples of it wastes nothing.
  public var tileRows: Int
  /// The size of the packed weights of `columns` columns of `depth` elements.
  public var packedByteCount: @Sendable (_ columns: Int, _ depth: Int) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (Int16PackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (Int16GEMMArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, tileRows: Int,
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (Int16PackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (Int16GEMMArguments) -> Void
  ) {
    self.panelColumns = panelColumns
    self.tileRows = tileRows
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// How exact sums of products with 16-bit inputs become 16-bit numbers.
public enum Int16SumScaling {
  /// The 64-bit sum times a 15-bit multiplier, shifted to the right by 0 to 62 with one rounding:
  /// `MultiplyByQuantizedMultiplier` of the official runtime for 64 bits.
  case wide(multipliers: UnsafePointer<Int32>, rightShifts: UnsafePointer<Int32>)
  /// The lower half of the sum, scaled as in `SumScaling.fixedPoint`.
  case narrow(multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>)
  /// A factor per column in double precision, as in `SumScaling.real`.
  case real(multipliers: UnsafePointer<Double>)
  /// The same for the lower half of the sum.
  case narrowReal(multipliers: UnsafePointer<Double>)
}

/// What `Int16GEMM.pack` reads and where it writes.
public struct Int16PackingArguments {
  /// The weights: `columns` rows of `depth` contiguous signed bytes.
  public var filter: UnsafeRawPointer
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Int64>?
  /// The scaling of the sums, which goes into the panels.
  public var requantization: Int16SumScaling
  /// The output channels.
  public var columns: Int
  /// The elements of one patch.
  public var depth: Int
  /// The destination of `packedByteCount(columns, depth)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, bias: UnsafePointer<Int64>?, requantization: Int16SumScaling,
    columns: Int, depth: Int, packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.depth = depth
    self.packed = packed
  }
}

/// The operands of one block of a matrix product of 16-bit patches.
@frozen public struct Int16GEMMArguments {
  /// How the rows are cut out of `input`; padding is filled with zeros.
  public var patches: PatchGeometry
  /// The first element of the first pixel (plus the group's first channel).
  public var input: UnsafePointer<Int16>
  /// The packed weights, which also say how the sums are scaled.
  public var packed: UnsafeRawPointer
  /// The element of row 0 and column 0.
  public var output: UnsafeMutablePointer<Int16>
  /// The elements from one output row to the next.
  public var outputStride: Int
  /// The rows of the product to compute.
  public var rows: Range<Int>
  /// The columns of the product to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// The range of the output, and its zero point, which is zero.
  public var range: QuantizedRange
  /// Memory of `scratchByteCount(patches)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    patches: PatchGeometry, input: UnsafePointer<Int16>, packed: UnsafeRawPointer,
    output: UnsafeMutablePointer<Int16>, outputStride: Int, rows: Range<Int>,
    columns: Range<Int>, range: QuantizedRange, scratch: UnsafeMutableRawPointer
  ) {
    self.patches = patches
    self.input = input
    self.packed = packed
    self.output = output
    self.outputStride = outputStride
    self.rows = rows
    self.columns = columns
    self.range = range
    self.scratch = scratch
  }
}
