/// The kernels of one instruction set that resize pictures row by row.
///
/// Each is bit-exact with the library it is named after. A filter is applied along the rows first
/// and then across rows, as these libraries do. The caller computes the taps of the output pixels
/// and their weights once.
public struct PictureKernels: Sendable {
  /// A function that resizes rows horizontally.
  public typealias HorizontalFilter = @Sendable (HorizontalFilterArguments) -> Void
  /// A function that combines several rows into one.
  public typealias VerticalFilter = @Sendable (VerticalFilterArguments) -> Void

  /// Filters rows of bytes in Pillow's fixed point: weights of 2⁻²², sums rounded and clamped.
  ///
  /// The weights of four taps are eight `Int16`: the lower 11 bits of the first and the third, then
  /// of the second and the fourth; then the upper bits in the same order.
  public var fixedPointHorizontal: HorizontalFilter
  /// Filters across rows in Pillow's fixed point, with weights that are `Int32`.
  public var fixedPointVertical: VerticalFilter
  /// Interpolates rows of bytes as OpenCV does, to `Int16` sums in units of 2⁻⁷, not rounded.
  ///
  /// The two weights of a pixel are a pair of `Int16` in units of 2⁻¹¹.
  public var linearHorizontal: HorizontalFilter
  /// Interpolates two rows of such sums with two weights of 2⁻¹¹, and rounds the results to bytes.
  public var linearVertical: VerticalFilter
  /// Interpolates two rows of bytes with two weights of 2⁻¹¹, to sums in units of 2⁻⁷.
  ///
  /// This is the first pass of OpenCV's interpolation if the picture is rotated by a quarter turn.
  public var linearSumsVertical: VerticalFilter
  /// Interpolates rows of such sums to bytes, the second pass for rotated pictures.
  public var linearBytesHorizontal: HorizontalFilter
  /// Averages areas along rows of bytes as OpenCV does, with float weights and float sums.
  public var areaHorizontal: HorizontalFilter
  /// Averages such sums across rows, scales them, adds an offset, and rounds them to bytes.
  public var areaVertical: VerticalFilter
  /// Interpolates between two rows of bytes as TensorFlow's bilinear resizing does.
  public var bilinear: @Sendable (BilinearRowArguments) -> Void
  /// Interpolates between two rows that are columns of the picture, in TensorFlow's order of
  /// operations.
  public var bilinearTransposed: @Sendable (BilinearRowArguments) -> Void
  /// Copies the listed pixels of a row.
  public var nearest: @Sendable (NearestRowArguments) -> Void
  /// Converts pixels to another order of bytes.
  public var recolored: @Sendable (RecolorArguments) -> Void
  /// Converts YCbCr pixels to RGB.
  public var rgbFromYCbCr: @Sendable (YCbCrRowArguments) -> Void
  /// Normalizes bytes to floats.
  public var normalized: @Sendable (NormalizationArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    fixedPointHorizontal: @escaping HorizontalFilter, fixedPointVertical: @escaping VerticalFilter,
    linearHorizontal: @escaping HorizontalFilter, linearVertical: @escaping VerticalFilter,
    linearSumsVertical: @escaping VerticalFilter, linearBytesHorizontal: @escaping HorizontalFilter,
    areaHorizontal: @escaping HorizontalFilter, areaVertical: @escaping VerticalFilter,
    bilinear: @escaping @Sendable (BilinearRowArguments) -> Void,
    bilinearTransposed: @escaping @Sendable (BilinearRowArguments) -> Void,
    nearest: @escaping @Sendable (NearestRowArguments) -> Void,
    recolored: @escaping @Sendable (RecolorArguments) -> Void,
    rgbFromYCbCr: @escaping @Sendable (YCbCrRowArguments) -> Void,
    normalized: @escaping @Sendable (NormalizationArguments) -> Void
  ) {
    self.fixedPointHorizontal = fixedPointHorizontal
    self.fixedPointVertical = fixedPointVertical
    self.linearHorizontal = linearHorizontal
    self.linearVertical = linearVertical
    self.linearSumsVertical = linearSumsVertical
    self.linearBytesHorizontal = linearBytesHorizontal
    self.areaHorizontal = areaHorizontal
    self.areaVertical = areaVertical
    self.bilinear = bilinear
    self.bilinearTransposed = bilinearTransposed
    self.nearest = nearest
    self.recolored = recolored
    self.rgbFromYCbCr = rgbFromYCbCr
    self.normalized = normalized
  }
}

/// The number of bytes after a row of pixels that kernels may touch, because vectors are longer
/// than pixels.
public let pictureSlack = 64

/// The operands of a filter along rows.
///
/// Kernels may read `pictureSlack` bytes after each input row, and write as many after each output
/// row.
@frozen public struct HorizontalFilterArguments {
  /// The input rows of pixels.
  public var inputs: UnsafePointer<UnsafeRawPointer>
  /// The destination of each row.
  public var outputs: UnsafePointer<UnsafeMutableRawPointer>
  /// The number of rows.
  public var rowCount: Int
  /// The output pixels in a row.
  public var count: Int
  /// The number of channels of a pixel, from one to four.
  public var channels: Int
  /// The first input pixel of every output pixel.
  public var firsts: UnsafePointer<Int32>
  /// The weights of every output pixel.
  public var weights: UnsafeRawPointer
  /// The number of taps of an output pixel; in fixed point a multiple of four.
  public var taps: Int

  /// Creates the arguments.
  public init(
    inputs: UnsafePointer<UnsafeRawPointer>, outputs: UnsafePointer<UnsafeMutableRawPointer>,
    rowCount: Int, count: Int, channels: Int, firsts: UnsafePointer<Int32>,
    weights: UnsafeRawPointer, taps: Int
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.rowCount = rowCount
    self.count = count
    self.channels = channels
    self.firsts = firsts
    self.weights = weights
    self.taps = taps
  }
}

/// The operands of nearest-neighbour resampling of a row.
///
/// Kernels may read `pictureSlack` bytes after the input row.
@frozen public struct NearestRowArguments {
  /// The pixels of the input row.
  public var input: UnsafeRawPointer
  /// The destination of the pixels.
  public var output: UnsafeMutableRawPointer
  /// The index of the input pixel for every output pixel.
  public var columns: UnsafePointer<Int32>
  /// The number of output pixels.
  public var count: Int
  /// The size of a pixel in bytes, from one to four.
  public var channels: Int

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, columns: UnsafePointer<Int32>,
    count: Int, channels: Int
  ) {
    self.input = input
    self.output = output
    self.columns = columns
    self.count = count
    self.channels = channels
  }
}

/// The operands of a filter across rows.
@frozen public struct VerticalFilterArguments {
  /// The input rows, `taps` of them.
  public var rows: UnsafePointer<UnsafeRawPointer>
  /// The destination of the results: bytes, or the sums of a first pass.
  public var output: UnsafeMutableRawPointer
  /// The number of elements in a row.
  public var count: Int
  /// One weight for each input row.
  public var weights: UnsafeRawPointer
  /// The number of input rows.
  public var taps: Int
  /// The scale of float sums.
  public var scale: Float
  /// The offset that is added to scaled float sums before rounding.
  public var offset: Float

  /// Creates the arguments.
  public init(
    rows: UnsafePointer<UnsafeRawPointer>, output: UnsafeMutableRawPointer, count: Int,
    weights: UnsafeRawPointer, taps: Int, scale: Float = 1, offset: Float = 0
  ) {
    self.rows = rows
    self.output = output
    self.count = count
    self.weights = weights
    self.taps = taps
    self.scale = scale
    self.offset = offset
  }
}

/// The operands of TensorFlow's bilinear interpolation.
///
/// Kernels may read `pictureSlack` bytes after each input row.
@frozen public struct BilinearRowArguments {
  /// The first row.
  public var upper: UnsafeRawPointer
  /// The second row.
  public var lower: UnsafeRawPointer
  /// The weight of the first row.
  public var upperWeight: Float
  /// The weight of the second row.
  public var lowerWeight: Float
  /// The destination of the bytes.
  public var output: UnsafeMutableRawPointer
  /// The positions of the output pixels, with float weights.
  ///
  /// The two input pixels of a position are neighbours, or the same pixel at an edge.
  public var columns: UnsafePointer<PixelPosition>
  /// The number of output pixels.
  public var count: Int
  /// The number of channels of a pixel, from one to four.
  public var channels: Int
  /// Whether the second pixel of a position comes before the first in memory.
  public var isMirrored: Bool

  /// Creates the arguments.
  public init(
    upper: UnsafeRawPointer, lower: UnsafeRawPointer, upperWeight: Float, lowerWeight: Float,
    output: UnsafeMutableRawPointer, columns: UnsafePointer<PixelPosition>, count: Int,
    channels: Int, isMirrored: Bool = false
  ) {
    self.isMirrored = isMirrored
    self.upper = upper
    self.lower = lower
    self.upperWeight = upperWeight
    self.lowerWeight = lowerWeight
    self.output = output
    self.columns = columns
    self.count = count
    self.channels = channels
  }
}
