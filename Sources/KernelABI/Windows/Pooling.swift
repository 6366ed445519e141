/// The pooling kernels of one instruction set: each channel of a window is reduced to one number.
public struct Pooling: Sendable {
  /// A function that computes some rows of the output.
  public typealias Kernel = @Sendable (PoolingArguments) -> Void

  /// Computes the maximum of the floats in a window; NaN is never larger than another number.
  public var maximumFloat: Kernel
  /// Computes the mean of the floats in a window, added row by row.
  public var averageFloat: Kernel
  /// Computes the maximum of unsigned bytes.
  public var maximumUInt8: Kernel
  /// Computes the maximum of signed bytes.
  public var maximumInt8: Kernel
  /// Computes the mean of unsigned bytes, rounded half away from zero, for windows of at most 2¹⁵
  /// pixels.
  public var averageUInt8: Kernel
  /// Computes the mean of signed bytes, rounded half away from zero, for windows of at most 2¹⁵
  /// pixels.
  public var averageInt8: Kernel
  /// Computes the maximum of floats, and the index in the window of its first occurrence plus 0.1.
  ///
  /// Indices count the window's pixels row by row.
  public var maximumFloatWithIndex: Kernel
  /// Writes floats to the indices that `maximumFloatWithIndex` stored, and zeros elsewhere.
  ///
  /// - Returns: `false` if an index is outside its window; the output is then invalid.
  public var unpoolFloat: @Sendable (UnpoolingArguments) -> Bool
  /// The size of the scratch memory that one call needs.
  public var scratchByteCount: Int

  /// Creates the entry from its functions.
  public init(
    maximumFloat: @escaping Kernel, averageFloat: @escaping Kernel,
    maximumUInt8: @escaping Kernel, maximumInt8: @escaping Kernel,
    averageUInt8: @escaping Kernel, averageInt8: @escaping Kernel,
    maximumFloatWithIndex: @escaping Kernel,
    unpoolFloat: @escaping @Sendable (UnpoolingArguments) -> Bool, scratchByteCount: Int
  ) {
    self.maximumFloat = maximumFloat
    self.averageFloat = averageFloat
    self.maximumUInt8 = maximumUInt8
    self.maximumInt8 = maximumInt8
    self.averageUInt8 = averageUInt8
    self.averageInt8 = averageInt8
    self.maximumFloatWithIndex = maximumFloatWithIndex
    self.unpoolFloat = unpoolFloat
    self.scratchByteCount = scratchByteCount
  }
}

/// The operands of a pooling kernel.
@frozen public struct PoolingArguments {
  /// The positions of the windows in an image; not dilated, with all channels of a pixel.
  public var windows: PatchGeometry
  /// The first image.
  public var input: UnsafeRawPointer
  /// The number of images.
  public var imageCount: Int
  /// The first image of the result.
  public var output: UnsafeMutableRawPointer
  /// The indices of the first image, for `maximumFloatWithIndex` only.
  public var indices: UnsafeMutableRawPointer?
  /// The rows of the output to compute, counted over all images.
  public var rows: Range<Int>
  /// The lower end of the range that results are clamped to; exact for bytes too.
  public var lowerBound: Float
  /// The upper end of that range.
  public var upperBound: Float
  /// Memory of `scratchByteCount` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    windows: PatchGeometry, input: UnsafeRawPointer, imageCount: Int,
    output: UnsafeMutableRawPointer, indices: UnsafeMutableRawPointer? = nil, rows: Range<Int>,
    lowerBound: Float, upperBound: Float, scratch: UnsafeMutableRawPointer
  ) {
    self.windows = windows
    self.input = input
    self.imageCount = imageCount
    self.output = output
    self.indices = indices
    self.rows = rows
    self.lowerBound = lowerBound
    self.upperBound = upperBound
    self.scratch = scratch
  }
}

/// The operands of the unpooling kernel, whose windows are adjacent and do not overlap.
@frozen public struct UnpoolingArguments {
  /// The floats to write, `[row, column, channel]`.
  public var input: UnsafePointer<Float>
  /// The index in the window of each of them.
  public var indices: UnsafePointer<Float>
  /// The first image of the output, with `windowHeight` rows and `windowWidth` columns for each
  /// pixel of the input.
  public var output: UnsafeMutablePointer<Float>
  /// The rows of the input to process, counted over all images.
  public var rows: Range<Int>
  /// The number of columns of the input.
  public var columnCount: Int
  /// The number of channels of a pixel.
  public var channels: Int
  /// The number of rows of a window.
  public var windowHeight: Int
  /// The number of columns of a window.
  public var windowWidth: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, indices: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, rows: Range<Int>, columnCount: Int, channels: Int,
    windowHeight: Int, windowWidth: Int
  ) {
    self.input = input
    self.indices = indices
    self.output = output
    self.rows = rows
    self.columnCount = columnCount
    self.channels = channels
    self.windowHeight = windowHeight
    self.windowWidth = windowWidth
  }
}
