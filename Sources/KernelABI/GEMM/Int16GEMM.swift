/// The GEMM of 16-bit patches × 8-bit or 16-bit weights for one instruction set: summed exactly in
/// 64 bits, plus bias, requantized per column to 16 bits.
///
/// CONV_2D, FULLY_CONNECTED, TRANSPOSE_CONV and BATCH_MATMUL of int16 use it. All sums are exact.
public struct Int16GEMM: Sendable {
  /// The number of columns of one packed panel; work is split between threads at multiples of it.
  public var panelColumns: Int
  /// The number of rows of one register tile; splits at multiples of it leave no partial tile.
  public var tileRows: Int
  /// The size of the packed weights of `columns` columns of `depth` elements.
  public var packedByteCount: @Sendable (_ columns: Int, _ depth: Int) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (Int16PackingArguments) -> Void
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (GEMMBlock<QuantizedRange>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, tileRows: Int,
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (Int16PackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (GEMMBlock<QuantizedRange>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.tileRows = tileRows
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// The requantization of the exact sums of products with 16-bit inputs to 16 bits.
public enum Int16SumScaling {
  /// The 64-bit sum times a 15-bit multiplier, shifted right by 0 to 62 with one rounding, like the
  /// official runtime's `MultiplyByQuantizedMultiplier` for 64 bits.
  case sums64(multipliers: UnsafePointer<Int32>, rightShifts: UnsafePointer<Int32>)
  /// The lower 32 bits of the sum, scaled as in `SumScaling.fixedPoint`.
  case sums32(multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>)
  /// A factor per column in double precision, as in `SumScaling.real`.
  case real(multipliers: UnsafePointer<Double>)
  /// A factor per column in double precision for the lower 32 bits of the sum.
  case sums32Real(multipliers: UnsafePointer<Double>)
}

/// The arguments of `Int16GEMM.pack`.
public struct Int16PackingArguments {
  /// The weights: `columns` rows of `depth` contiguous `Int8` or `Int16` elements.
  public var filter: UnsafeRawPointer
  /// Whether the weights have 16 bits.
  public var has16BitWeights: Bool
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Int64>?
  /// The requantization of the sums, which is packed into the panels.
  public var requantization: Int16SumScaling
  /// The output channels.
  public var columns: Int
  /// The number of elements of one patch.
  public var depth: Int
  /// The destination of `packedByteCount(columns, depth)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, has16BitWeights: Bool = false, bias: UnsafePointer<Int64>?,
    requantization: Int16SumScaling, columns: Int, depth: Int, packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.has16BitWeights = has16BitWeights
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.depth = depth
    self.packed = packed
  }
}
