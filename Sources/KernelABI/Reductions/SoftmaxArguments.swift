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

/// The operands of the softmax of rows of bytes, with results of the same type; the output may be
/// the input.
public struct ByteSoftmaxArguments {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The elements of a row, at least one.
  public var rowLength: Int
  /// The rows, which follow each other without gaps.
  public var rowCount: Int
  /// Whether elements are signed bytes.
  public var isSigned: Bool
  /// 256 exponentials by an element's distance from the greatest of its row, from 0 to 2³¹ - 1.
  public var exponentials: UnsafePointer<Int32>
  /// Memory of `scratchByteCount`.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, rowLength: Int, rowCount: Int,
    isSigned: Bool, exponentials: UnsafePointer<Int32>, scratch: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.output = output
    self.rowLength = rowLength
    self.rowCount = rowCount
    self.isSigned = isSigned
    self.exponentials = exponentials
    self.scratch = scratch
  }

  /// How many rows are computed side by side: what is done once for each of some short ones is done
  /// for all of them in the lanes of a vector, of 64 bytes at most.
  public static func rowsAtOnce(ofLength length: Int) -> Int { length <= 64 ? 16 : 1 }

  /// The longest rows whose bytes are transposed as well, by fours of elements.
  public static var mostBytesOfNarrowRow: Int { 32 }

  /// Two vectors, and an `Int32` for each element of the rows that are computed at once, beside the bytes of
  /// narrow ones.
  public static func scratchByteCount(rowLength: Int) -> Int {
    let elements = (rowLength + 3) / 4 * 4 * rowsAtOnce(ofLength: rowLength)
    return 128 + (rowLength <= mostBytesOfNarrowRow ? 5 : 4) * elements
  }
}
