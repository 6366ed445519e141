/// The GEMM of dynamically quantized floats × 4-bit weights that have a scale for every
/// quantization block of a column, for one instruction set.
///
/// The products of a quantization block are summed exactly; its sum is then scaled and added to
/// those of the column's other blocks in order, so that results are bit-exact with the reference
/// kernel.
public struct BlockwiseGEMM: Sendable {
  /// The number of columns of one packed panel; work is split between threads at multiples of it.
  public var panelColumns: Int
  /// The size of the packed weights.
  public var packedByteCount: @Sendable (BlockwiseShape) -> Int
  /// Packs weights, scales and bias into panels, once per model.
  public var pack: @Sendable (BlockwisePackingArguments) -> Void
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (BlockwiseShape) -> Int
  /// Computes a range of columns of the output.
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

/// The shape of a weight matrix with a scale for every quantization block of a column.
@frozen public struct BlockwiseShape: Sendable {
  /// The number of columns: outputs.
  public var columns: Int
  /// The number of quantization blocks in a column.
  public var blocks: Int
  /// The number of elements in a quantization block.
  public var blockSize: Int

  /// Creates a shape.
  public init(columns: Int, blocks: Int, blockSize: Int) {
    self.columns = columns
    self.blocks = blocks
    self.blockSize = blockSize
  }
}

/// The arguments of `BlockwiseGEMM.pack`.
@frozen public struct BlockwisePackingArguments {
  /// The shape of the weight matrix.
  public var shape: BlockwiseShape
  /// The weights, from -8 to 7: column by column, contiguous.
  public var weights: UnsafePointer<Int8>
  /// The scales, column by column, one for each quantization block.
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

/// The operands of a range of columns of a block-wise GEMM.
@frozen public struct BlockwiseArguments {
  /// The shape of the weight matrix.
  public var shape: BlockwiseShape
  /// The quantized rows, one after the other.
  public var input: UnsafePointer<Int8>
  /// The quantization of each row.
  public var roundings: UnsafePointer<RowQuantization>
  /// The number of rows.
  public var rows: Int
  /// The packed weights.
  public var packed: UnsafeRawPointer
  /// The first element of the output, whose rows have `shape.columns` elements.
  public var output: UnsafeMutablePointer<Float>
  /// The columns to compute; starts at a multiple of `panelColumns`.
  public var columns: Range<Int>
  /// Scratch memory of `scratchByteCount(shape)` bytes, aligned to 64, for this call only.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    shape: BlockwiseShape, input: UnsafePointer<Int8>, roundings: UnsafePointer<RowQuantization>,
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
