/// The kernels of one instruction set that bring images `[height, width, channels]` to another
/// size.
///
/// Where output pixels lie in the input is worked out once, by the caller: a `PixelPlace` for each
/// row and each column.
public struct Resampling: Sendable {
  /// A function that makes some rows of the output.
  public typealias Kernel = @Sendable (ResamplingArguments) -> Void

  /// Mixes four floats by weights that are floats, in the order and with the roundings of
  /// `topLeft·(1-y)·(1-x) + bottomLeft·y·(1-x) + topRight·(1-y)·x + bottomRight·y·x`.
  public var bilinearFloat: Kernel
  /// Mixes four unsigned bytes in the same way, adds ½ and cuts off what is behind the point.
  public var bilinearUInt8: Kernel
  /// Mixes four signed bytes by weights of 1/1024, rounding halves away from zero.
  public var bilinearInt8: Kernel
  /// The same of 16-bit integers.
  public var bilinearInt16: Kernel
  /// Copies the lower neighbours in either direction, whatever the type of the elements.
  public var nearest: Kernel
  /// The size of the scratch memory that one call needs for rows of some elements.
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

/// Where a row or column of the output lies between two of the input.
@frozen public struct PixelPlace: Sendable, BitwiseCopyable {
  /// The row or column in front.
  public var lower: Int32
  /// The row or column behind.
  public var upper: Int32
  /// The weight of the lower one: the bits of a `Float`, or an `Int32` for signed integers.
  public var lowerWeight: Int32
  /// The weight of the upper one, in the same form.
  public var upperWeight: Int32

  /// Creates a place from its neighbours and their weights.
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
  /// The first pixel of the first row to make.
  public var output: UnsafeMutableRawPointer
  /// The places of the rows to make.
  public var rows: UnsafePointer<PixelPlace>
  /// The number of rows to make.
  public var rowCount: Int
  /// The places of the columns.
  public var columns: UnsafePointer<PixelPlace>
  /// The number of columns: the output's width.
  public var columnCount: Int
  /// The input's width.
  public var inputWidth: Int
  /// The elements of a pixel; its bytes where elements are copied only.
  public var channels: Int
  /// Memory of `scratchByteCount` bytes for rows of `inputWidth` and of `columnCount` pixels, aligned to
  /// 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, rows: UnsafePointer<PixelPlace>,
    rowCount: Int, columns: UnsafePointer<PixelPlace>, columnCount: Int, inputWidth: Int,
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
