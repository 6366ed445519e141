/// The Fourier transform kernels of one instruction set.
public struct FourierKernels: Sendable {
  /// Transforms rows of real numbers, several at a time (radix-2 Cooley-Tukey in double precision).
  public var transformRows: @Sendable (RowTransformArguments) -> Void
  /// Returns the size of the scratch memory of `transformRows` for rows of `length`.
  public var scratchByteCount: @Sendable (_ length: Int) -> Int
  /// Computes the magnitudes of complex numbers of two floats each, in double precision.
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

/// The operands of a Fourier transform of rows.
@frozen public struct RowTransformArguments {
  /// The first element of the first row.
  public var input: UnsafePointer<Float>
  /// The distance in elements from one row to the next.
  public var inputStride: Int
  /// The number of elements in an input row, zero-padded or truncated to `length`.
  public var inputCount: Int
  /// The first `length / 2 + 1` numbers of each row's spectrum, real and imaginary parts
  /// alternating.
  public var output: UnsafeMutablePointer<Float>
  /// The rows to transform.
  public var rows: Range<Int>
  /// The length of the transform: a power of two above one.
  public var length: Int
  /// The twiddle factors `exp(-2πi k / length)` for `k < length / 2`, real and imaginary parts
  /// alternating.
  public var roots: UnsafePointer<Double>
  /// The bit-reversed index of every index.
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
