/// A GEMM kernel for two matrices, neither of which has to be constant.
protocol PairGEMM: Sendable {
  /// The strategy of the kernel, where there is a choice.
  var choice: StrategyChoice? { get }
  /// Whether factors are rounded to bfloat16.
  var multipliesBFloat16: Bool { get }
  var tileRows: Int { get }
  var panelColumns: Int { get }
  /// The sizes of an element of a left matrix, of a whole right matrix, and of an element of a
  /// result.
  var leftElementBytes: Int { get }
  var rightBytes: Int { get }
  var outputElementBytes: Int { get }
  var packedByteCount: Int { get }
  /// The scratch that either function needs.
  var scratchByteCount: Int { get }

  /// Packs a right matrix.
  func pack(
    _ right: UnsafeRawPointer, to packed: UnsafeMutableRawPointer,
    in scratch: UnsafeMutableRawPointer)

  /// Computes some rows and columns of the product of a left matrix and a packed one.
  func multiply(
    _ left: UnsafeRawPointer, packed: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    _ block: (rows: Range<Int>, columns: Range<Int>), in scratch: UnsafeMutableRawPointer)
}

extension PairGEMM {
  var choice: StrategyChoice? { nil }
  var multipliesBFloat16: Bool { false }
}
