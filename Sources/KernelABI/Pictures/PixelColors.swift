/// What the bytes of an 8-bit pixel are.
@frozen public enum PixelOrder: Sendable {
  /// One byte: brightness.
  case gray
  /// Red, green, blue.
  case rgb
  /// Red, green, blue, opacity.
  case rgba
  /// Blue, green, red, opacity.
  case bgra

  /// The bytes of a pixel.
  @inlinable public var byteCount: Int {
    switch self {
    case .gray: 1
    case .rgb: 3
    case .rgba, .bgra: 4
    }
  }
}

/// The operands of a change of colours.
///
/// The output may begin in front of the input in the same memory, as far as no pixel is written
/// before it is read. Behind the output `pictureSlack` bytes may be written.
@frozen public struct RecolorArguments {
  /// The pixels.
  public var input: UnsafeRawPointer
  /// What the bytes of a pixel are.
  public var inputOrder: PixelOrder
  /// Where the result goes.
  public var output: UnsafeMutableRawPointer
  /// What the bytes of a pixel shall be.
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

/// The operands of a row of video that becomes red, green and blue.
///
/// Behind the output `pictureSlack` bytes may be written.
@frozen public struct YCbCrRowArguments {
  /// The brightness of the row's pixels.
  public var luma: UnsafeRawPointer
  /// Cb of the first pixel.
  public var cb: UnsafeRawPointer
  /// Cr of the first pixel.
  public var cr: UnsafeRawPointer
  /// The bytes from one Cb to the next: 2 where Cr lie in between.
  public var colorStep: Int
  /// Whether the first pixel is the second of the two that share their colour.
  public var startsOdd: Bool
  /// Where three bytes a pixel go.
  public var output: UnsafeMutableRawPointer
  /// The number of pixels.
  public var count: Int
  /// The brightness of black.
  public var lumaOffset: Int32
  /// The factors, in units of 2⁻²⁰.
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

/// What brightness and colour differences contribute to red, green and blue, in units of 2⁻²⁰.
@frozen public struct YCbCrFactors: Hashable, Sendable, BitwiseCopyable {
  /// Brightness, to all three.
  public var luma: Int32
  /// Cr to red.
  public var redFromCr: Int32
  /// Cr to green.
  public var greenFromCr: Int32
  /// Cb to green.
  public var greenFromCb: Int32
  /// Cb to blue.
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

/// The operands of bytes that become floats: each less the mean, and divided by the deviation, at its
/// place.
@frozen public struct NormalizationArguments {
  /// After so many elements means and deviations begin again: pixels of one, two, three and four
  /// channels fill this, and so do vectors.
  public static let period = 48

  /// The bytes.
  public var input: UnsafeRawPointer
  /// Where the floats go.
  public var output: UnsafeMutableRawPointer
  /// The number of elements.
  public var count: Int
  /// What is subtracted from each of `period` elements.
  public var means: UnsafePointer<Float>
  /// What the differences are divided by.
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
