/// The geometry by which the rows (patches) of a GEMM are read from an NHWC tensor.
///
/// Row `r` is the patch under the kernel window of output pixel `r`, counted over batch, height and
/// width. Its elements run over kernel height, kernel width and channels, like the weights of
/// CONV_2D. A matrix is the special case of a 1×1 window: see `init(matrixOf:…)`.
@frozen public struct PatchGeometry: Sendable {
  /// The height of the input in pixels.
  public var inputHeight: Int
  /// The width of the input in pixels.
  public var inputWidth: Int
  /// The distance between input pixels, in elements: the channels of the tensor.
  public var pixelStride: Int
  /// The number of channels of a pixel that belong to the patch; fewer than `pixelStride` in
  /// grouped convolutions.
  public var channels: Int
  /// The height of the kernel window.
  public var windowHeight = 1
  /// The width of the kernel window.
  public var windowWidth = 1
  /// The vertical stride of the window, in input rows.
  public var strideHeight = 1
  /// The horizontal stride of the window, in input columns.
  public var strideWidth = 1
  /// The vertical dilation: the distance between taps, in input rows.
  public var dilationHeight = 1
  /// The horizontal dilation: the distance between taps, in input columns.
  public var dilationWidth = 1
  /// The padding above the input, in pixels.
  public var paddingTop = 0
  /// The padding left of the input, in pixels.
  public var paddingLeft = 0
  /// The height of the output in pixels.
  public var outputHeight: Int
  /// The width of the output in pixels.
  public var outputWidth: Int

  /// Creates the geometry of a 1×1 window that visits every pixel of an image once.
  public init(inputHeight: Int, inputWidth: Int, channels: Int) {
    self.inputHeight = inputHeight
    self.inputWidth = inputWidth
    self.channels = channels
    pixelStride = channels
    outputHeight = inputHeight
    outputWidth = inputWidth
  }

  /// Creates the geometry of a matrix with `rows` rows of `depth` elements each.
  public init(matrixOf rows: Int, depth: Int) {
    self.init(inputHeight: rows, inputWidth: 1, channels: depth)
  }

  /// Whether every row is an input pixel, which can be read in place.
  @inlinable
  public var isPointwise: Bool {
    windowHeight == 1 && windowWidth == 1 && strideHeight == 1 && strideWidth == 1
      && paddingTop == 0 && paddingLeft == 0 && outputHeight == inputHeight
      && outputWidth == inputWidth
  }

  /// The reason why Winograd's method F(2×2, 3×3) does not apply, or `nil` if it does.
  ///
  /// It needs 3×3 windows with stride 1 and at least two output pixels per direction and dilation
  /// phase.
  @inlinable
  public var refusalOfWinograd: StrategyRefusal? {
    if windowHeight != 3 || windowWidth != 3 { return .notThreeByThree }
    if strideHeight != 1 || strideWidth != 1 { return .strideTooLong }
    let isSmall = outputHeight < 2 * dilationHeight || outputWidth < 2 * dilationWidth
    return isSmall ? .smallOutput : nil
  }

  /// The number of 2×2 output tiles of an image; tiles at the border may overlap.
  @inlinable
  public var winogradTiles: Int {
    Self.pairs(of: outputHeight, apart: dilationHeight)
      * Self.pairs(of: outputWidth, apart: dilationWidth)
  }

  /// Whether Winograd's method applies to floats and is faster on every processor.
  @inlinable
  public var suitsWinograd: Bool {
    guard refusalOfWinograd == nil else { return false }
    let pixels = outputHeight * outputWidth
    // With fewer pixels, loading the transformed weights dominates. A tile takes 16 products, a
    // pixel 9 without Winograd's method: with odd extents tiles overlap, and the saving may not pay
    // for the transforms.
    return pixels >= 36 && 16 * winogradTiles * 5 <= 9 * pixels * 3
  }

  /// Returns the number of pairs of positions `distance` apart that cover `extent` positions; if
  /// the count of a phase is odd, its last two pairs overlap.
  @inlinable
  static func pairs(of extent: Int, apart distance: Int) -> Int {
    let (count, longer) = extent.quotientAndRemainder(dividingBy: distance)
    return longer * (count / 2 + 1) + (distance - longer) * ((count + 1) / 2)
  }

  /// The number of elements of one patch.
  public var depth: Int { windowHeight * windowWidth * channels }
}
