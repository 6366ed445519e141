/// The kernels of one instruction set for spectra.
public struct FourierKernels: Sendable {
  /// Transforms rows of real numbers, several at a time, in double precision and the order of
  /// Cooley and Tukey.
  public var transformRows: @Sendable (RowTransformArguments) -> Void
  /// The size of the scratch memory that `transformRows` needs for rows of some length.
  public var scratchByteCount: @Sendable (_ length: Int) -> Int
  /// The magnitudes of some complex numbers of two floats each, computed in double precision.
  public var magnitudes:
    @Sendable (
      _ numbers: UnsafePointer<Float>, _ results: UnsafeMutablePointer<Float>, _ count: Int
    ) -> Void

  /// Creates the entry from its functions.
  public init(
    transformRows: @escaping @Sendable (RowTransformArguments) -> Void,
    scratchByteCount: @escaping @Sendable (Int) -> Int,
    magnitudes:
      @escaping @Sendable (
        UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int
      ) -> Void
  ) {
    self.transformRows = transformRows
    self.scratchByteCount = scratchByteCount
    self.magnitudes = magnitudes
  }
}

/// The operands of a transform of rows.
@frozen public struct RowTransformArguments {
  /// The first element of the first row.
  public var input: UnsafePointer<Float>
  /// The elements from one row to the next.
  public var inputStride: Int
  /// The elements of a row that are there; zeros follow, and what is more than `length` is not
  /// read.
  public var inputCount: Int
  /// Of each row the first `length / 2 + 1` numbers, real and imaginary parts in turn.
  public var output: UnsafeMutablePointer<Float>
  /// The rows to transform.
  public var rows: Range<Int>
  /// The length of the transform: a power of two above one.
  public var length: Int
  /// `exp(-2πi k / length)` for the first half of the circle, real and imaginary parts in turn.
  public var roots: UnsafePointer<Double>
  /// For each number from 0 the one with its bits in reverse.
  public var reversedIndices: UnsafePointer<Int32>
  /// Memory of `scratchByteCount(length)` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, inputStride: Int, inputCount: Int,
    output: UnsafeMutablePointer<Float>, rows: Range<Int>, length: Int,
    roots: UnsafePointer<Double>, reversedIndices: UnsafePointer<Int32>,
    scratch: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.inputStride = inputStride
    self.inputCount = inputCount
    self.output = output
    self.rows = rows
    self.length = length
    self.roots = roots
    self.reversedIndices = reversedIndices
    self.scratch = scratch
  }
}
