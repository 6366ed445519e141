/// Rows of two operands, of which a binary kernel makes rows of results that follow each other
/// without gaps.
@frozen public struct BinaryRows {
  /// The first operand's first element.
  public var first: UnsafeRawPointer
  /// The second operand's first element.
  public var second: UnsafeRawPointer
  /// The first result, which may be the place of an operand that is as large as the results.
  public var output: UnsafeMutableRawPointer
  /// The results in a row.
  public var rowLength: Int
  /// The rows.
  public var rowCount: Int
  /// The bytes from a row of the first operand to the next; 0 where all rows share one.
  public var firstStride: Int
  /// The bytes from a row of the second operand to the next; 0 where all rows share one.
  public var secondStride: Int
  /// Whether a row of the first operand is a single element.
  public var firstIsScalar: Bool
  /// Whether a row of the second operand is a single element.
  public var secondIsScalar: Bool

  /// Creates rows, by default one.
  public init(
    first: UnsafeRawPointer, second: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    rowLength: Int, rowCount: Int = 1, firstStride: Int = 0, secondStride: Int = 0,
    firstIsScalar: Bool = false, secondIsScalar: Bool = false
  ) {
    self.first = first
    self.second = second
    self.output = output
    self.rowLength = rowLength
    self.rowCount = rowCount
    self.firstStride = firstStride
    self.secondStride = secondStride
    self.firstIsScalar = firstIsScalar
    self.secondIsScalar = secondIsScalar
  }
}
