/// The operands of the softmax of rows of floats; the output may be the input.
@frozen public struct SoftmaxArguments {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The number of elements in a row, at least one.
  public var rowLength: Int
  /// The number of rows, which are contiguous.
  public var rowCount: Int
  /// The factor of the differences in the exponent.
  public var beta: Float
  /// The precision: `.exact` uses the exponential of the C library, and adds in order.
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

/// The operands of the softmax of rows of bytes, with results of the same type.
///
/// The output may be the input.
public struct ByteSoftmaxArguments {
  /// The first element.
  public var input: UnsafeRawPointer
  /// The first result.
  public var output: UnsafeMutableRawPointer
  /// The number of elements in a row, at least one.
  public var rowLength: Int
  /// The number of rows, which are contiguous.
  public var rowCount: Int
  /// Whether the bytes are signed.
  public var isSigned: Bool
  /// The 256 exponentials, from 0 to 2³¹ - 1, indexed by the distance from the maximum of the row.
  public var exponentials: UnsafePointer<Int32>
  /// Scratch memory of `scratchByteCount` bytes.
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

  /// Returns the number of rows that are computed side by side.
  ///
  /// The work per row is done for several short rows at once, one per lane, in vectors of at most
  /// 64 bytes.
  public static func rowsPerCall(ofLength length: Int) -> Int { length <= 64 ? 16 : 1 }

  /// The length of the longest rows whose bytes are transposed too, four elements at a time.
  public static var maximumShortRowLength: Int { 32 }

  /// Returns the size of the scratch memory.
  ///
  /// It holds two vectors, an `Int32` for each element of the rows that are computed at once, and
  /// the bytes of short rows.
  public static func scratchByteCount(rowLength: Int) -> Int {
    let elements = (rowLength + 3) / 4 * 4 * rowsPerCall(ofLength: rowLength)
    return 128 + (rowLength <= maximumShortRowLength ? 5 : 4) * elements
  }
}
