/// The kernels of one instruction set that resize images `[height, width, channels]`.
///
/// The caller computes once which input pixels an output pixel lies between: one `PixelPosition`
/// for each row and each column.
public struct Resampling: Sendable {
  /// A function that computes some rows of the output.
  public typealias Kernel = @Sendable (ResamplingArguments) -> Void

  /// Interpolates four floats with float weights, bit-exact with `topLeft·(1-y)·(1-x) +
  /// bottomLeft·y·(1-x) + topRight·(1-y)·x + bottomRight·y·x`.
  public var bilinearFloat: Kernel
  /// Interpolates four unsigned bytes in the same way, adds ½ and truncates.
  public var bilinearUInt8: Kernel
  /// Interpolates four signed bytes with weights in units of 1/1024, rounding half away from zero.
  public var bilinearInt8: Kernel
  /// Interpolates four 16-bit integers with weights in units of 1/1024, rounding half away from
  /// zero.
  public var bilinearInt16: Kernel
  /// Copies the `lower` row and column of every `PixelPosition`, for elements of any type.
  public var nearest: Kernel
  /// Returns the size of the scratch memory of one call, from the elements of an input and output
  /// row.
  public var scratchByteCount: @Sendable (_ inputElements: Int, _ outputElements: Int) -> Int

  /// Creates the entry from its functions.
  public init(
    bilinearFloat: @escaping Kernel, bilinearUInt8: @escaping Kernel,
    bilinearInt8: @escaping Kernel, bilinearInt16: @escaping Kernel, nearest: @escaping Kernel,
    scratchByteCount: @escaping @Sendable (Int, Int) -> Int
  ) {
    self.bilinearFloat = bilinearFloat
    self.bilinearUInt8 = bilinearUInt8
    self.bilinearInt8 = bilinearInt8
    self.bilinearInt16 = bilinearInt16
    self.nearest = nearest
    self.scratchByteCount = scratchByteCount
  }
}

/// The two input rows or columns around an output row or column, with their weights.
@frozen public struct PixelPosition: Sendable, BitwiseCopyable {
  /// The row or column before the position.
  public var lower: Int32
  /// The row or column after the position.
  public var upper: Int32
  /// The weight of the lower one: the bits of a `Float`, or an `Int32` for signed integers.
  public var lowerWeight: Int32
  /// The weight of the upper one, in the same form.
  public var upperWeight: Int32

  /// Creates a position from its neighbours and their weights.
  public init(lower: Int32, upper: Int32, lowerWeight: Int32 = 0, upperWeight: Int32 = 0) {
    self.lower = lower
    self.upper = upper
    self.lowerWeight = lowerWeight
    self.upperWeight = upperWeight
  }
}

/// The operands of a resampling kernel.
@frozen public struct ResamplingArguments {
  /// The first pixel of an image.
  public var input: UnsafeRawPointer
  /// The first pixel of the first row to compute.
  public var output: UnsafeMutableRawPointer
  /// The positions of the rows to compute.
  public var rows: UnsafePointer<PixelPosition>
  /// The number of rows to compute.
  public var rowCount: Int
  /// The positions of the columns.
  public var columns: UnsafePointer<PixelPosition>
  /// The number of columns: the output's width.
  public var columnCount: Int
  /// The input's width.
  public var inputWidth: Int
  /// The number of elements of a pixel; for `nearest`, of its bytes.
  public var channels: Int
  /// Scratch memory of this call, aligned to 64 bytes.
  ///
  /// It holds `scratchByteCount` bytes for rows of `inputWidth` and of `columnCount` pixels.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, rows: UnsafePointer<PixelPosition>,
    rowCount: Int, columns: UnsafePointer<PixelPosition>, columnCount: Int, inputWidth: Int,
    channels: Int, scratch: UnsafeMutableRawPointer
  ) {
    self.input = input
    self.output = output
    self.rows = rows
    self.rowCount = rowCount
    self.columns = columns
    self.columnCount = columnCount
    self.inputWidth = inputWidth
    self.channels = channels
    self.scratch = scratch
  }
}
