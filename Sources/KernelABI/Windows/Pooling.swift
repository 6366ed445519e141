/// The pooling kernels of one instruction set: every channel by itself, a window becomes one
/// number.
public struct Pooling: Sendable {
  /// A function that makes some lines of the output.
  public typealias Kernel = @Sendable (PoolingArguments) -> Void

  /// The largest float of a window; NaN is not larger than anything.
  public var maximumFloat: Kernel
  /// The mean of the floats of a window, added row by row.
  public var averageFloat: Kernel
  /// The largest unsigned byte.
  public var maximumUInt8: Kernel
  /// The largest signed byte.
  public var maximumInt8: Kernel
  /// The mean of unsigned bytes, rounded half away from zero; of at most 2¹⁵ pixels.
  public var averageUInt8: Kernel
  /// The mean of signed bytes, rounded half away from zero; of at most 2¹⁵ pixels.
  public var averageInt8: Kernel
  /// The largest float, and the first of its places: a tenth more than its number in the window,
  /// counted row by row.
  public var maximumFloatWithPlace: Kernel
  /// Puts floats back to the places that the function above names, and zeros beside them.
  ///
  /// - Returns: `false` where a place is outside its window: then the output is not to be used.
  public var unpoolFloat: @Sendable (UnpoolingArguments) -> Bool
  /// The size of the scratch memory that one call needs.
  public var scratchByteCount: Int

  /// Creates the entry from its functions.
  public init(
    maximumFloat: @escaping Kernel, averageFloat: @escaping Kernel,
    maximumUInt8: @escaping Kernel, maximumInt8: @escaping Kernel,
    averageUInt8: @escaping Kernel, averageInt8: @escaping Kernel,
    maximumFloatWithPlace: @escaping Kernel,
    unpoolFloat: @escaping @Sendable (UnpoolingArguments) -> Bool, scratchByteCount: Int
  ) {
    self.maximumFloat = maximumFloat
    self.averageFloat = averageFloat
    self.maximumUInt8 = maximumUInt8
    self.maximumInt8 = maximumInt8
    self.averageUInt8 = averageUInt8
    self.averageInt8 = averageInt8
    self.maximumFloatWithPlace = maximumFloatWithPlace
    self.unpoolFloat = unpoolFloat
    self.scratchByteCount = scratchByteCount
  }
}

/// The operands of a pooling kernel.
@frozen public struct PoolingArguments {
  /// How the windows lie over an image; not dilated, with all channels of a pixel.
  public var windows: PatchGeometry
  /// The first image.
  public var input: UnsafeRawPointer
  /// The images of the input.
  public var imageCount: Int
  /// The first image of the result.
  public var output: UnsafeMutableRawPointer
  /// The first image of the places, for `maximumFloatWithPlace` only.
  public var places: UnsafeMutableRawPointer?
  /// The lines of the result to compute, counted over all images.
  public var lines: Range<Int>
  /// The lower end of the range that results are clamped to; exact for bytes too.
  public var lowerBound: Float
  /// The upper end of that range.
  public var upperBound: Float
  /// Memory of `scratchByteCount` bytes aligned to 64, for this call alone.
  public var scratch: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    windows: PatchGeometry, input: UnsafeRawPointer, imageCount: Int,
    output: UnsafeMutableRawPointer, places: UnsafeMutableRawPointer? = nil, lines: Range<Int>,
    lowerBound: Float, upperBound: Float, scratch: UnsafeMutableRawPointer
  ) {
    self.windows = windows
    self.input = input
    self.imageCount = imageCount
    self.output = output
    self.places = places
    self.lines = lines
    self.lowerBound = lowerBound
    self.upperBound = upperBound
    self.scratch = scratch
  }
}

/// The operands of the unpooling kernel: windows that touch but do not overlap.
@frozen public struct UnpoolingArguments {
  /// The floats to put back, `[line, column, channel]`.
  public var input: UnsafePointer<Float>
  /// For each of them its place in the window.
  public var places: UnsafePointer<Float>
  /// The first image of the output, of `windowHeight` lines and `windowWidth` columns for each of
  /// the input's.
  public var output: UnsafeMutablePointer<Float>
  /// The lines of the input to put back, counted over all images.
  public var lines: Range<Int>
  /// The columns of the input.
  public var columnCount: Int
  /// The channels of a pixel.
  public var channels: Int
  /// The lines of a window.
  public var windowHeight: Int
  /// The columns of a window.
  public var windowWidth: Int

  /// Creates the arguments.
  public init(
    input: UnsafePointer<Float>, places: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, lines: Range<Int>, columnCount: Int, channels: Int,
    windowHeight: Int, windowWidth: Int
  ) {
    self.input = input
    self.places = places
    self.output = output
    self.lines = lines
    self.columnCount = columnCount
    self.channels = channels
    self.windowHeight = windowHeight
    self.windowWidth = windowWidth
  }
}
