/// The rows of two operands of a binary kernel, whose result rows are contiguous.
@frozen public struct BinaryRows {
  /// The first operand's first element.
  public var first: UnsafeRawPointer
  /// The second operand's first element.
  public var second: UnsafeRawPointer
  /// The first result; it may overwrite an operand of the results' size in place.
  public var output: UnsafeMutableRawPointer
  /// The number of results in a row.
  public var rowLength: Int
  /// The number of rows.
  public var rowCount: Int
  /// The distance in bytes from one row of the first operand to the next; 0 if all rows share one.
  public var firstStride: Int
  /// The distance in bytes from one row of the second operand to the next; 0 if all rows share one.
  public var secondStride: Int
  /// Whether a row of the first operand is a single element, which is broadcast.
  public var firstIsScalar: Bool
  /// Whether a row of the second operand is a single element, which is broadcast.
  public var secondIsScalar: Bool

  /// Creates rows, by default a single one.
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
