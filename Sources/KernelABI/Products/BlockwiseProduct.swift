/// The product of rounded floats with 4-bit weights that have a scale for every block of a
/// column, of one instruction set.
///
/// A block's products are summed up exactly; the sums of a column's blocks are scaled and added
/// one after the other, so that the results have the bits of a plain loop.
public struct BlockwiseProduct: Sendable {
  /// The columns of one packed panel; work is split between workers at multiples of it.
  public var panelColumns: Int
  /// The size of the packed weights.
  public var packedByteCount: @Sendable (BlockwiseShape) -> Int
  /// Packs weights, scales and bias into panels, once per model.
  public var pack: @Sendable (BlockwisePackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (BlockwiseShape) -> Int
  /// Computes some columns of the output.
  public var run: @Sendable (BlockwiseArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, packedByteCount: @escaping @Sendable (BlockwiseShape) -> Int,
    pack: @escaping @Sendable (BlockwisePackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (BlockwiseShape) -> Int,
    run: @escaping @Sendable (BlockwiseArguments) -> Void
  ) {
    self.panelColumns = panelColumns
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// The size of a matrix of weights with a scale for every block of a column.
@frozen public struct BlockwiseShape: Sendable {
  /// The outputs.
  public var columns: Int
  /// The blocks of a column.
  public var blocks: Int
  /// The elements of a block.
  public var blockSize: Int

  /// Creates a shape.
  public init(columns: Int, blocks: Int, blockSize: Int) {
    self.columns = columns
    self.blocks = blocks
    self.blockSize = blockSize
  }
}

/// What `BlockwiseProduct.pack` reads and where it writes.
@frozen public struct BlockwisePackingArguments {
  /// The size of the matrix.
  public var shape: BlockwiseShape
  /// The weights, from -8 to 7: column by column, contiguous.
  public var weights: UnsafePointer<Int8>
  /// The scales, column by column, one for each block.
  public var scales: UnsafePointer<Float>
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Float>?
  /// The destination of `packedByteCount(shape)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    shape: BlockwiseShape, weights: UnsafePointer<Int8>, scales: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, packed: UnsafeMutableRawPointer
  ) {
    self.shape = shape
    self.weights = weights
    self.scales = scales
    self.bias = bias
    self.packed = packed
  }
}

/// The operands of some columns of a block-wise product.
@frozen public struct BlockwiseArguments {
  /// The size of the matrix.
  public var shape: BlockwiseShape
  /// The rounded rows, one after the other.
  public var input: UnsafePointer<Int8>
  /// How each row was rounded.
  public var roundings: UnsafePointer<RowRounding>
  /// The rows.
  public var rows: Int
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The first element of the output, which has `shape.columns` a row.
  public var output: UnsafeMutablePointer<Float>
  /// The columns to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// Memory of `scratchByteCount(shape)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    shape: BlockwiseShape, input: UnsafePointer<Int8>, roundings: UnsafePointer<RowRounding>,
    rows: Int, packed: UnsafeRawPointer, output: UnsafeMutablePointer<Float>,
    columns: Range<Int>, scratch: UnsafeMutableRawPointer
  ) {
    self.shape = shape
    self.input = input
    self.roundings = roundings
    self.rows = rows
    self.packed = packed
    self.output = output
    self.columns = columns
    self.scratch = scratch
  }
}
