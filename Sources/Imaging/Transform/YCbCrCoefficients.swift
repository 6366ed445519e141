import OcellusKernelABI

/// The fixed-point factors between YCbCr and RGB, in units of 2⁻²⁰.
///
/// For BT.601 in video range they are OpenCV's, for results equal to those of `COLOR_YUV2RGB_NV12`
/// and `COLOR_RGB2YUV_I420`; the others are rounded from the constants of the standard.
struct YCbCrCoefficients {
  /// The contributions of red, green and blue.
  typealias Weights = (red: Int32, green: Int32, blue: Int32)

  /// The luma of black.
  let lumaOffset: Int32
  let toRGB: YCbCrFactors
  let toLuma: Weights
  let toCb: Weights
  let toCr: Weights

  /// OpenCV's constants.
  private static let openCV = YCbCrCoefficients(
    lumaOffset: 16,
    toRGB: YCbCrFactors(
      luma: 1_220_542, redFromCr: 1_673_527, greenFromCr: -852_492, greenFromCb: -409_993,
      blueFromCb: 2_116_026),
    toLuma: (269_484, 528_482, 102_760), toCb: (-155_188, -305_135, 460_324),
    toCr: (460_324, -385_875, -74_448))

  private init(
    lumaOffset: Int32, toRGB: YCbCrFactors, toLuma: Weights, toCb: Weights, toCr: Weights
  ) {
    self.lumaOffset = lumaOffset
    self.toRGB = toRGB
    self.toLuma = toLuma
    self.toCb = toCb
    self.toCr = toCr
  }

  init(_ encoding: YCbCrEncoding) {
    guard encoding != YCbCrEncoding(matrix: .bt601, range: .video) else {
      self = Self.openCV
      return
    }
    let (red, blue) = encoding.matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
    let green = 1 - red - blue
    // The number of byte values in use for luma and for chroma.
    let (lumaRange, colorRange) = encoding.range == .video ? (219.0, 224.0) : (255.0, 255.0)
    func fixed(_ value: Double) -> Int32 { Int32((value * Double(1 << 20)).rounded()) }
    let fromCr = 2 * (1 - red) * 255 / colorRange
    let fromCb = 2 * (1 - blue) * 255 / colorRange
    let (y, c) = (lumaRange / 255, colorRange / 255 / 2)
    self.init(
      lumaOffset: encoding.range == .video ? 16 : 0,
      toRGB: YCbCrFactors(
        luma: fixed(255 / lumaRange), redFromCr: fixed(fromCr),
        greenFromCr: fixed(-fromCr * red / green), greenFromCb: fixed(-fromCb * blue / green),
        blueFromCb: fixed(fromCb)),
      toLuma: (fixed(red * y), fixed(green * y), fixed(blue * y)),
      toCb: (fixed(-red / (1 - blue) * c), fixed(-green / (1 - blue) * c), fixed(c)),
      toCr: (fixed(c), fixed(-green / (1 - red) * c), fixed(-blue / (1 - red) * c)))
  }
}
