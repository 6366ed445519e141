/// The order of the bytes in an 8-bit pixel.
@frozen public enum PixelOrder: Sendable {
  /// One byte of luma.
  case gray
  /// Red, green, blue.
  case rgb
  /// Red, green, blue, opacity.
  case rgba
  /// Blue, green, red, opacity.
  case bgra

  /// The number of bytes in a pixel.
  @inlinable public var byteCount: Int {
    switch self {
    case .gray: 1
    case .rgb: 3
    case .rgba, .bgra: 4
    }
  }
}

/// The operands of a conversion to another order of bytes.
///
/// The output may overlap the input if it begins before it, and no pixel is written before it is
/// read. Kernels may write `pictureSlack` bytes after the output.
@frozen public struct RecolorArguments {
  /// The pixels.
  public var input: UnsafeRawPointer
  /// The byte order of the input.
  public var inputOrder: PixelOrder
  /// The destination of the pixels.
  public var output: UnsafeMutableRawPointer
  /// The byte order of the output.
  public var outputOrder: PixelOrder
  /// The number of pixels.
  public var count: Int

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, inputOrder: PixelOrder, output: UnsafeMutableRawPointer,
    outputOrder: PixelOrder, count: Int
  ) {
    self.input = input
    self.inputOrder = inputOrder
    self.output = output
    self.outputOrder = outputOrder
    self.count = count
  }
}

/// The operands of the conversion of a video row to RGB.
///
/// Kernels may write `pictureSlack` bytes after the output.
@frozen public struct YCbCrRowArguments {
  /// The luma of the row's pixels.
  public var luma: UnsafeRawPointer
  /// The Cb of the first pixel.
  public var cb: UnsafeRawPointer
  /// The Cr of the first pixel.
  public var cr: UnsafeRawPointer
  /// The distance in bytes from one Cb to the next: 2 if Cb and Cr are interleaved.
  public var colorStep: Int
  /// Whether the first pixel is the second of two that share their chroma.
  public var startsOdd: Bool
  /// The destination of the pixels, three bytes each.
  public var output: UnsafeMutableRawPointer
  /// The number of pixels.
  public var count: Int
  /// The luma of black.
  public var lumaOffset: Int32
  /// The conversion factors.
  public var factors: YCbCrFactors

  /// Creates the arguments.
  public init(
    luma: UnsafeRawPointer, cb: UnsafeRawPointer, cr: UnsafeRawPointer, colorStep: Int,
    startsOdd: Bool, output: UnsafeMutableRawPointer, count: Int, lumaOffset: Int32,
    factors: YCbCrFactors
  ) {
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.colorStep = colorStep
    self.startsOdd = startsOdd
    self.output = output
    self.count = count
    self.lumaOffset = lumaOffset
    self.factors = factors
  }
}

/// The contributions of luma and chroma to red, green and blue, in units of 2⁻²⁰.
@frozen public struct YCbCrFactors: Hashable, Sendable, BitwiseCopyable {
  /// The factor of luma for all three.
  public var luma: Int32
  /// The factor of Cr for red.
  public var redFromCr: Int32
  /// The factor of Cr for green.
  public var greenFromCr: Int32
  /// The factor of Cb for green.
  public var greenFromCb: Int32
  /// The factor of Cb for blue.
  public var blueFromCb: Int32

  /// Creates the factors.
  public init(
    luma: Int32, redFromCr: Int32, greenFromCr: Int32, greenFromCb: Int32, blueFromCb: Int32
  ) {
    self.luma = luma
    self.redFromCr = redFromCr
    self.greenFromCr = greenFromCr
    self.greenFromCb = greenFromCb
    self.blueFromCb = blueFromCb
  }
}

/// The operands of the normalization of bytes to floats: `(byte - mean) / deviation`.
@frozen public struct NormalizationArguments {
  /// The period of means and deviations.
  ///
  /// It is a multiple of one, two, three and four channels, and of the lanes of a vector.
  public static let period = 48

  /// The bytes.
  public var input: UnsafeRawPointer
  /// The destination of the floats.
  public var output: UnsafeMutableRawPointer
  /// The number of elements.
  public var count: Int
  /// The means of `period` elements.
  public var means: UnsafePointer<Float>
  /// The deviations of `period` elements.
  public var deviations: UnsafePointer<Float>

  /// Creates the arguments.
  public init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int,
    means: UnsafePointer<Float>, deviations: UnsafePointer<Float>
  ) {
    self.input = input
    self.output = output
    self.count = count
    self.means = means
    self.deviations = deviations
  }
}
