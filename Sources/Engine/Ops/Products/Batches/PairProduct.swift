/// A kernel that multiplies two matrices, both known when the step runs.
protocol PairProduct: Sendable {
  /// The strategy that it is, where there is a choice.
  var choice: StrategyChoice? { get }
  var tileRows: Int { get }
  var panelColumns: Int { get }
  /// The bytes of an element of a left matrix, of a right matrix, and of an element of a result.
  var leftElementBytes: Int { get }
  var rightBytes: Int { get }
  var outputElementBytes: Int { get }
  var packedByteCount: Int { get }
  /// The working memory of either function.
  var scratchByteCount: Int { get }

  /// Packs a right matrix.
  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer)

  /// Multiplies a left matrix with a packed one: some rows and columns of the result.
  func multiply(
    _ left: UnsafeRawPointer, packed: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ block: (rows: Range<Int>, columns: Range<Int>), in scratch: UnsafeMutableRawPointer)
}

extension PairProduct {
  var choice: StrategyChoice? { nil }
}
