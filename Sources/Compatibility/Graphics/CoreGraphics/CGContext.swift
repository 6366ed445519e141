public import Foundation
import OcellusImaging
import OcellusPlatform

/// How carefully pictures are resized when they are drawn.
public enum CGInterpolationQuality: Int32, Sendable {
  /// Bilinear with antialiasing.
  case `default` = 0
  /// The nearest pixel.
  case none = 1
  /// Bilinear with antialiasing.
  case low = 2
  /// Bicubic with antialiasing.
  case high = 3
  /// Bilinear with antialiasing.
  case medium = 4
}

/// How colours are combined with those that are there already.
public enum CGBlendMode: Int32, Sendable {
  /// Visible parts cover what is there.
  case normal = 0
  /// Everything is replaced, also by transparent parts.
  case copy = 17
}

/// Pixels in memory that pictures are drawn to.
///
/// As in the original, the origin is at the lower left, and a picture is drawn upright. Colours have
/// 8 bits per component: gray without alpha, or red, green and blue in 32 bits whose alpha is
/// skipped or premultiplied. A pixel is drawn if its centre is covered. Use a context on one thread
/// at a time.
public final class CGContext {
  /// The memory of the pixels, of `height` rows; it lives as long as the context does.
  public let data: UnsafeMutableRawPointer?
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of bits of a component: 8.
  public let bitsPerComponent = 8
  /// The number of bits of a pixel.
  public let bitsPerPixel: Int
  /// The distance between rows in bytes.
  public let bytesPerRow: Int
  /// The meaning of the components.
  public let colorSpace: CGColorSpace?
  /// The order of the components.
  public let bitmapInfo: CGBitmapInfo

  let memory: UnsafeMutableRawPointer
  let layout: BitmapLayout
  private let ownsMemory: Bool
  private var state = State()
  private var saved: [State] = []

  private struct State {
    var transform = CGAffineTransform.identity
    var fill = SIMD4<Float>(0, 0, 0, 255)
    var quality = CGInterpolationQuality.default
    var alpha: Float = 1
    var blending = CGBlendMode.normal
  }

  /// Creates a context in `data`, or in memory of its own, which is cleared.
  ///
  /// `nil` for pixels of other kinds than those above, without pixels, and if memory is short. With
  /// 0 bytes per row, rows follow each other without padding.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    let info = CGBitmapInfo(rawValue: bitmapInfo)
    let components = space.numberOfComponents
    guard bitsPerComponent == 8,
      let layout = BitmapLayout(
        info, components: components, bitsPerPixel: components == 1 ? 8 : 32),
      layout.alpha == nil || layout.isPremultiplied,
      components == 1
        || info.intersection(.alphaInfoMask).rawValue != CGImageAlphaInfo.none.rawValue
    else { return nil }
    let (tight, overflow) = width.multipliedReportingOverflow(by: layout.bytesPerPixel)
    let stride = bytesPerRow == 0 ? tight : bytesPerRow
    guard !overflow, let byteCount = CGImage.byteCount(width, height, stride, layout),
      let memory = data ?? calloc(byteCount, 1)
    else { return nil }
    self.data = memory
    self.memory = memory
    ownsMemory = data == nil
    self.width = width
    self.height = height
    self.bytesPerRow = stride
    self.layout = layout
    bitsPerPixel = layout.bytesPerPixel * 8
    colorSpace = space
    self.bitmapInfo = info
  }

  deinit { if ownsMemory { free(memory) } }

  /// The place of alpha.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  /// Returns a copy of the pixels.
  public func makeImage() -> CGImage? {
    guard let colorSpace else { return nil }
    return CGImage(
      CGImage.Bitmap(
        bytes: Data(bytes: memory, count: bytesPerRow * height), bytesPerRow: bytesPerRow,
        layout: layout),
      width: width, height: height, space: colorSpace, info: bitmapInfo)
  }

  // MARK: State

  /// The map from the coordinates of drawing to those of the context.
  public var ctm: CGAffineTransform { state.transform }

  /// How carefully pictures are resized.
  public var interpolationQuality: CGInterpolationQuality {
    get { state.quality }
    set { state.quality = newValue }
  }

  /// Remembers the transform, the colour and the quality.
  public func saveGState() { saved.append(state) }

  /// Returns to what was remembered last.
  public func restoreGState() { state = saved.popLast() ?? state }

  /// Applies a transform before the present one.
  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
  }

  /// Moves the origin.
  public func translateBy(x: CGFloat, y: CGFloat) {
    concatenate(CGAffineTransform(translationX: x, y: y))
  }

  /// Scales what is drawn from now on.
  public func scaleBy(x: CGFloat, y: CGFloat) { concatenate(CGAffineTransform(scaleX: x, y: y)) }

  /// Rotates what is drawn from now on, by an angle in radians.
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

  /// Sets the colour of `fill(_:)`.
  public func setFillColor(_ color: CGColor) {
    let (red, green, blue) = color.rgb
    setFillColor(red: red, green: green, blue: blue, alpha: color.alpha)
  }

  /// Sets the colour of `fill(_:)`.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    let color = SIMD4(Float(red), Float(green), Float(blue), 1) * Float(alpha) * 255
    state.fill = color.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
  }

  /// Sets the opacity of what is drawn from now on, 0…1.
  public func setAlpha(_ alpha: CGFloat) {
    state.alpha = Float.minimum(Float.maximum(Float(alpha), 0), 1)
  }

  /// Sets how colours are combined from now on.
  public func setBlendMode(_ mode: CGBlendMode) { state.blending = mode }

  // MARK: Drawing

  /// The map from the coordinates of drawing to columns and rows of memory.
  private var placement: CGAffineTransform {
    state.transform.concatenating(
      CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)))
  }

  /// Draws over a rectangle with the fill colour.
  public func fill(_ rect: CGRect) { cover(rect) { [state] _, _ in state.fill } }

  /// Makes a rectangle transparent, or black without alpha.
  public func clear(_ rect: CGRect) { cover(rect, replaces: true) { _, _ in .zero } }

  private func cover(
    _ rect: CGRect, replaces: Bool = false, _ color: (CGFloat, CGFloat) -> SIMD4<Float>
  ) {
    let unit = CGAffineTransform(
      a: rect.width, b: 0, c: 0, d: rect.height, tx: rect.minX, ty: rect.minY)
    paint(unit.concatenating(placement), CGSize(width: 1, height: 1), replaces: replaces, color)
  }

  /// Draws an image into a rectangle, scaled to its size.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    guard image.width > 0, image.height > 0 else { return }
    let size = CGSize(width: image.width, height: image.height)
    // From columns and rows of the image to the coordinates of drawing.
    let toRect = CGAffineTransform(
      a: rect.width / size.width, b: 0, c: 0, d: -rect.height / size.height, tx: rect.minX,
      ty: rect.maxY)
    let map = toRect.concatenating(placement)
    guard let source = DrawnPicture(image.picture, map, quality: state.quality) else { return }
    let toImage = CGAffineTransform(
      scaleX: size.width / source.size.width, y: size.height / source.size.height)
    source.withPixels { color in
      paint(toImage.concatenating(map), source.size, color)
    }
  }

  /// Draws the pixels whose centres a map takes from within `size`; `color` gets the place there.
  private func paint(
    _ map: CGAffineTransform, _ size: CGSize, replaces: Bool = false,
    _ color: (CGFloat, CGFloat) -> SIMD4<Float>
  ) {
    guard let inverse = map.inverse else { return }
    let bounds = CGRect(origin: .zero, size: size).applying(map)
    guard bounds.minX.isFinite, bounds.minY.isFinite, bounds.maxX.isFinite, bounds.maxY.isFinite
    else { return }
    let replaces = replaces || state.blending == .copy
    let columns = Self.centers(from: bounds.minX, to: bounds.maxX, below: width)
    for y in Self.centers(from: bounds.minY, to: bounds.maxY, below: height) {
      for x in columns {
        let place = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(y) + 0.5).applying(inverse)
        guard place.x >= 0, place.y >= 0, place.x < size.width, place.y < size.height else {
          continue
        }
        let pixel = memory + (y * bytesPerRow + x * layout.bytesPerPixel)
        let source = color(place.x, place.y) * state.alpha
        let isOpaque = replaces || source.w >= 255
        layout.store(
          isOpaque ? source : source + layout.load(pixel) * (1 - source.w / 255), to: pixel)
      }
    }
  }

  /// Returns the pixels that a range may cover.
  private static func centers(from start: CGFloat, to end: CGFloat, below count: Int) -> Range<Int>
  {
    let first = Int(min(max(start.rounded(.down), 0), CGFloat(count)))
    let last = Int(min(max(end.rounded(.up), 0), CGFloat(count)))
    return first..<max(first, last)
  }
}

/// A picture that was made smaller, if need be, to the size in which it is drawn.
private struct DrawnPicture {
  private let picture: Image
  private let isNearest: Bool

  /// The size of the picture.
  let size: CGSize

  init?(_ picture: Image, _ map: CGAffineTransform, quality: CGInterpolationQuality) {
    func length(_ pixels: Int, _ x: CGFloat, _ y: CGFloat) -> Int {
      let drawn = CGFloat(pixels) * (x * x + y * y).squareRoot()
      return drawn < CGFloat(pixels) ? max(Int(drawn.rounded()), 1) : pixels
    }
    let drawn = PixelSize(
      width: length(picture.storedSize.width, map.a, map.b),
      height: length(picture.storedSize.height, map.c, map.d))
    let resampler: Resampler =
      switch quality {
      case .none: .pillowNearest
      case .high: .pillowBicubic
      default: .pillowBilinear
      }
    guard
      let ready = try? picture.resized(to: drawn, using: resampler).converted(to: .rgba8)
    else { return nil }
    self.picture = ready
    isNearest = quality == .none
    size = CGSize(width: drawn.width, height: drawn.height)
  }

  /// Calls `body` with a function that returns the colour at a place: that of a pixel at its
  /// centre, and mixed from the four next ones elsewhere.
  func withPixels(_ body: ((CGFloat, CGFloat) -> SIMD4<Float>) -> Void) {
    let (columns, rows) = (picture.storedSize.width, picture.storedSize.height)
    let stride = picture.planes[0].rowStride
    picture.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress.map({ $0 + picture.planes[0].byteOffset }) else { return }
      func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let (x, y) = (min(max(x, 0), columns - 1), min(max(y, 0), rows - 1))
        return BitmapLayout.rgba.load(start + (y * stride + 4 * x))
      }
      body { x, y in
        if isNearest { return pixel(Int(x), Int(y)) }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (right, down) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
        let (column, row) = (Int(left), Int(top))
        // Rounding errors of the map must not blur what is drawn pixel by pixel.
        let isExact = min(right, 1 - right) < 1e-4 && min(down, 1 - down) < 1e-4
        if isExact { return pixel(column + Int(right.rounded()), row + Int(down.rounded())) }
        let upper = pixel(column, row) * (1 - right) + pixel(column + 1, row) * right
        let lower = pixel(column, row + 1) * (1 - right) + pixel(column + 1, row + 1) * right
        return upper * (1 - down) + lower * down
      }
    }
  }
}
