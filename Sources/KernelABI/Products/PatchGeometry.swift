/// How the rows of a matrix product are cut out of an NHWC tensor.
///
/// Row `r` is the patch under the kernel window of output pixel `r`, counted over batch, height
/// and width. Its elements run over kernel height, kernel width and channels, which is the order
/// of the weights of CONV_2D. A plain matrix is the case of a 1×1 window: see `init(matrixOf:…)`.
@frozen public struct PatchGeometry: Sendable {
  /// The height of the input in pixels.
  public var inputHeight: Int
  /// The width of the input in pixels.
  public var inputWidth: Int
  /// The elements from one input pixel to the next: the channels of the tensor.
  public var pixelStride: Int
  /// The channels of a pixel that belong to the patch; fewer than `pixelStride` in grouped convolutions.
  public var channels: Int
  /// The height of the kernel window.
  public var windowHeight = 1
  /// The width of the kernel window.
  public var windowWidth = 1
  /// The input rows from one output row to the next.
  public var strideHeight = 1
  /// The input columns from one output column to the next.
  public var strideWidth = 1
  /// The input rows from one row of the window to the next.
  public var dilationHeight = 1
  /// The input columns from one column of the window to the next.
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

  /// Creates the geometry of a plain matrix: `rows` rows of `depth` elements each.
  public init(matrixOf rows: Int, depth: Int) {
    self.init(inputHeight: rows, inputWidth: 1, channels: depth)
  }

  /// Whether the rows are the pixels of the input, in place.
  @inlinable
  public var isPointwise: Bool {
    windowHeight == 1 && windowWidth == 1 && strideHeight == 1 && strideWidth == 1
      && paddingTop == 0 && paddingLeft == 0 && outputHeight == inputHeight
      && outputWidth == inputWidth
  }

  /// Why Winograd's method cannot compute pixels four at a time, windows of 3×3 as far apart as their taps; `nil`
  /// where it can.
  @inlinable
  public var refusalOfWinograd: StrategyRefusal? {
    if windowHeight != 3 || windowWidth != 3 { return .notThreeByThree }
    if strideHeight != 1 || strideWidth != 1 { return .windowsApart }
    let isSmall = outputHeight < 2 * dilationHeight || outputWidth < 2 * dilationWidth
    return isSmall ? .smallOutput : nil
  }

  /// The tiles of four pixels of an image, of which those at the borders may share pixels.
  @inlinable
  public var winogradTiles: Int {
    Self.pairs(of: outputHeight, apart: dilationHeight)
      * Self.pairs(of: outputWidth, apart: dilationWidth)
  }

  /// Whether Winograd's method can compute the pixels of floats, and is worth it on any processor.
  @inlinable
  public var suitsWinograd: Bool {
    guard refusalOfWinograd == nil else { return false }
    let pixels = outputHeight * outputWidth
    // With fewer pixels weights are read more often than multiplied. A tile has 16 products, a pixel 9: where odd
    // numbers are in pairs, the fewer are not few enough for what else there is to do.
    return pixels >= 36 && 16 * winogradTiles * 5 <= 9 * pixels * 3
  }

  /// The pairs that places a distance apart make; of odd numbers of places one is in two.
  @inlinable
  static func pairs(of extent: Int, apart distance: Int) -> Int {
    let (count, longer) = extent.quotientAndRemainder(dividingBy: distance)
    return longer * (count / 2 + 1) + (distance - longer) * ((count + 1) / 2)
  }

  /// The elements of one patch.
  public var depth: Int { windowHeight * windowWidth * channels }
}
