/// The operands of the softmax of rows of floats; the output may be the input.
@frozen public struct SoftmaxArguments {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The elements of a row, at least one.
  public var rowLength: Int
  /// The rows, which follow each other without gaps.
  public var rowCount: Int
  /// What differences are multiplied with before the exponential is taken.
  public var beta: Float
  /// Whether the exponential is the C library's, and powers are added one after the other.
  public var numerics: Numerics

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, rowLength: Int, rowCount: Int,
    beta: Float, numerics: Numerics = .fast
  ) {
    self.input = input
    self.output = output
    self.rowLength = rowLength
    self.rowCount = rowCount
    self.beta = beta
    self.numerics = numerics
  }
}
