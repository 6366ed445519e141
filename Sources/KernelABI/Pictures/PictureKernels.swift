/// The kernels of one instruction set that bring pictures to another size, row by row, in the
/// arithmetic of the libraries they are named after.
///
/// A filter is applied along the rows first and across rows then, as all of these libraries do it.
/// Where the taps of an output pixel lie, and what they weigh, is worked out once by the caller.
public struct PictureKernels: Sendable {
  /// A function that makes rows narrower or wider.
  public typealias AlongRow = @Sendable (AlongRowArguments) -> Void
  /// A function that makes one row of several.
  public typealias AcrossRows = @Sendable (AcrossRowsArguments) -> Void

  /// Pillow's arithmetic: bytes, weights of 2⁻²², sums rounded and clamped to bytes.
  ///
  /// The weights of four taps are eight `Int16`: the lower 11 bits of the first and the third, of the
  /// second and the fourth, and the upper bits in the same order.
  public var fixedAlong: AlongRow
  /// The same across rows, with weights that are `Int32`.
  public var fixedAcross: AcrossRows
  /// OpenCV's linear interpolation: two bytes, weights of 2⁻¹¹ (pairs of `Int16`), and sums of
  /// 2⁻⁷ (`Int16`) without rounding.
  public var linearAlong: AlongRow
  /// The second half of it: two rows of such sums and two weights of 2⁻¹¹ become bytes.
  public var linearAcross: AcrossRows
  /// The same halves for pictures that lie on their side, whose first half goes across rows: two rows of
  /// bytes and two weights of 2⁻¹¹ become sums of 2⁻⁷.
  public var linearSumsAcross: AcrossRows
  /// The second half along rows: two such sums become a byte.
  public var linearBytesAlong: AlongRow
  /// OpenCV's mean over areas: bytes, weights that are floats, and sums that are floats.
  public var areaAlong: AlongRow
  /// The second half of it: sums of floats, scaled, with an offset, and rounded to bytes.
  public var areaAcross: AcrossRows
  /// TensorFlow's bilinear interpolation between two rows of bytes.
  public var bilinear: @Sendable (BilinearRowArguments) -> Void
  /// The same between two columns of the picture, whose products and sums have another order.
  public var bilinearOnSide: @Sendable (BilinearRowArguments) -> Void
  /// Copies pixels of one row.
  public var nearest: @Sendable (NearestRowArguments) -> Void
  /// Brings the bytes of pixels into another order.
  public var recolored: @Sendable (RecolorArguments) -> Void
  /// Makes red, green and blue of brightness and colour differences.
  public var rgbFromYCbCr: @Sendable (YCbCrRowArguments) -> Void
  /// Makes floats of bytes.
  public var normalized: @Sendable (NormalizationArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    fixedAlong: @escaping AlongRow, fixedAcross: @escaping AcrossRows,
    linearAlong: @escaping AlongRow, linearAcross: @escaping AcrossRows,
    linearSumsAcross: @escaping AcrossRows, linearBytesAlong: @escaping AlongRow,
    areaAlong: @escaping AlongRow, areaAcross: @escaping AcrossRows,
    bilinear: @escaping @Sendable (BilinearRowArguments) -> Void,
    bilinearOnSide: @escaping @Sendable (BilinearRowArguments) -> Void,
    nearest: @escaping @Sendable (NearestRowArguments) -> Void,
    recolored: @escaping @Sendable (RecolorArguments) -> Void,
    rgbFromYCbCr: @escaping @Sendable (YCbCrRowArguments) -> Void,
    normalized: @escaping @Sendable (NormalizationArguments) -> Void
  ) {
    self.fixedAlong = fixedAlong
    self.fixedAcross = fixedAcross
    self.linearAlong = linearAlong
    self.linearAcross = linearAcross
    self.linearSumsAcross = linearSumsAcross
    self.linearBytesAlong = linearBytesAlong
    self.areaAlong = areaAlong
    self.areaAcross = areaAcross
    self.bilinear = bilinear
    self.bilinearOnSide = bilinearOnSide
    self.nearest = nearest
    self.recolored = recolored
    self.rgbFromYCbCr = rgbFromYCbCr
    self.normalized = normalized
  }
}

/// The bytes behind rows of pixels that kernels may touch: vectors are longer than pixels.
public let pictureSlack = 64

/// The operands of a filter along rows.
///
/// Behind every row of the input and of the output there are `pictureSlack` bytes that may be read,
/// and written.
@frozen public struct AlongRowArguments {
  /// Rows of pixels: bytes.
  public var inputs: UnsafePointer<UnsafeRawPointer>
  /// Where their results go.
  public var outputs: UnsafePointer<UnsafeMutableRawPointer>
  /// The number of rows.
  public var rowCount: Int
  /// The pixels of a result.
  public var count: Int
  /// The elements of a pixel, from one to four.
  public var channels: Int
  /// The first tap of every output pixel.
  public var firsts: UnsafePointer<Int32>
  /// The weights of every output pixel.
  public var weights: UnsafeRawPointer
  /// How many input pixels make one output pixel; in fixed point a multiple of four.
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

/// The operands of a choice of pixels.
///
/// Behind the row `pictureSlack` bytes may be read.
@frozen public struct NearestRowArguments {
  /// The pixels of a row: bytes.
  public var input: UnsafeRawPointer
  /// Where the result goes.
  public var output: UnsafeMutableRawPointer
  /// The pixel of the row for every pixel of the result.
  public var columns: UnsafePointer<Int32>
  /// The pixels of the result.
  public var count: Int
  /// The bytes of a pixel, from one to four.
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
@frozen public struct AcrossRowsArguments {
  /// The rows that are mixed, `taps` of them.
  public var rows: UnsafePointer<UnsafeRawPointer>
  /// Where the result goes: bytes.
  public var output: UnsafeMutableRawPointer
  /// The elements of a row.
  public var count: Int
  /// One weight for every row.
  public var weights: UnsafeRawPointer
  /// How many rows make one.
  public var taps: Int
  /// What sums of floats are multiplied with before they are rounded.
  public var scale: Float
  /// What is added to sums of floats then.
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
/// Behind the rows `pictureSlack` bytes may be read.
@frozen public struct BilinearRowArguments {
  /// The row in front.
  public var upper: UnsafeRawPointer
  /// The row behind.
  public var lower: UnsafeRawPointer
  /// The weight of the row in front.
  public var upperWeight: Float
  /// The weight of the row behind.
  public var lowerWeight: Float
  /// Where the result goes: bytes.
  public var output: UnsafeMutableRawPointer
  /// The places of the result's pixels, with weights that are floats: neighbouring pixels, but where
  /// both are the same one.
  public var columns: UnsafePointer<PixelPlace>
  /// The pixels of the result.
  public var count: Int
  /// The elements of a pixel, from one to four.
  public var channels: Int
  /// Whether the second pixel of a place is the one in front of the first.
  public var isMirrored: Bool

  /// Creates the arguments.
  public init(
    upper: UnsafeRawPointer, lower: UnsafeRawPointer, upperWeight: Float, lowerWeight: Float,
    output: UnsafeMutableRawPointer, columns: UnsafePointer<PixelPlace>, count: Int,
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
