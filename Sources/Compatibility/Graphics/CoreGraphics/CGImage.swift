public import Foundation
public import OcellusImaging

/// Pixels, without an orientation.
///
/// An image does not change. It may hold pixels in any format of `Image`; those that its properties
/// describe, with 8 bits per component, are made when `dataProvider` is asked for them.
public final class CGImage: Sendable {
  /// Rows of pixels in memory.
  struct Bitmap: Sendable {
    var bytes: Data
    var bytesPerRow: Int
    var layout: BitmapLayout
  }

  private enum Storage: Sendable {
    case picture(Image)
    case bitmap(Bitmap)
  }

  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of bits of a component: 8.
  public let bitsPerComponent = 8
  /// The number of bits of a pixel: 8 for gray, 24 or 32 for colours.
  public let bitsPerPixel: Int
  /// The distance between rows in bytes.
  public let bytesPerRow: Int
  /// The meaning of the components.
  public let colorSpace: CGColorSpace?
  /// The order of the components.
  public let bitmapInfo: CGBitmapInfo

  private let storage: Storage

  /// Creates an image of the stored pixels of a picture, whose orientation is left out.
  public init(_ picture: Image) {
    var picture = picture
    picture.orientation = .up
    let isGray = [.gray8, .gray16, .planarFloat(channels: 1)].contains(picture.format)
    let hasAlpha = [.rgba8, .bgra8, .planarFloat(channels: 4)].contains(picture.format)
    width = picture.storedSize.width
    height = picture.storedSize.height
    bitsPerPixel = isGray ? 8 : 32
    bytesPerRow = width * bitsPerPixel / 8
    colorSpace = isGray ? .deviceGray : .deviceRGB
    let alpha: CGImageAlphaInfo = isGray ? .none : hasAlpha ? .last : .noneSkipLast
    bitmapInfo = CGBitmapInfo(rawValue: alpha.rawValue)
    storage = .picture(picture)
  }

  /// Creates an image from rows of pixels.
  ///
  /// `nil` unless components have 8 bits, a pixel has 8, 24 or 32, and the bytes suffice. `decode`,
  /// `shouldInterpolate` and `intent` have no effect.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
    space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
    decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
  ) {
    let components = space.numberOfComponents
    guard bitsPerComponent == 8,
      let layout = BitmapLayout(bitmapInfo, components: components, bitsPerPixel: bitsPerPixel),
      let byteCount = Self.byteCount(width, height, bytesPerRow, layout),
      let bytes = provider.data, bytes.count >= byteCount
    else { return nil }
    self.init(
      Bitmap(bytes: bytes, bytesPerRow: bytesPerRow, layout: layout), width: width, height: height,
      space: space, info: bitmapInfo)
  }

  init(_ bitmap: Bitmap, width: Int, height: Int, space: CGColorSpace, info: CGBitmapInfo) {
    self.width = width
    self.height = height
    bitsPerPixel = bitmap.layout.bytesPerPixel * 8
    bytesPerRow = bitmap.bytesPerRow
    colorSpace = space
    bitmapInfo = info
    storage = .bitmap(bitmap)
  }

  /// Returns the number of bytes of rows of pixels; `nil` if they cannot be in memory.
  static func byteCount(_ width: Int, _ height: Int, _ bytesPerRow: Int, _ layout: BitmapLayout)
    -> Int?
  {
    guard (try? ImageLimits().check(PixelSize(width: width, height: height))) != nil,
      bytesPerRow >= width * layout.bytesPerPixel
    else { return nil }
    let (count, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
    return overflow ? nil : count
  }

  /// The place of alpha.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  /// The order of the bytes.
  public var byteOrderInfo: CGImageByteOrderInfo {
    CGImageByteOrderInfo(rawValue: bitmapInfo.intersection(.byteOrderMask).rawValue)
      ?? .orderDefault
  }

  /// The rows of pixels, as the other properties describe them; `nil` for a picture that cannot be
  /// converted to bytes.
  public var dataProvider: CGDataProvider? {
    switch storage {
    case .bitmap(let bitmap): CGDataProvider(bitmap.bytes)
    case .picture(let picture): bytes(of: picture).map(CGDataProvider.init)
    }
  }

  private func bytes(of picture: Image) -> Data? {
    let layout: BitmapLayout =
      bitsPerPixel == 8 ? .gray : alphaInfo == .last ? .rgba : .rgbx
    var data = Data(count: bytesPerRow * height)
    guard !data.isEmpty else { return nil }
    do {
      try data.withUnsafeMutableBytes { bytes in
        guard let memory = bytes.baseAddress else { return }
        try layout.write(picture, to: memory, bytesPerRow: bytesPerRow)
      }
      return data
    } catch {
      return nil
    }
  }

  /// The pixels as a picture.
  public var picture: Image {
    switch storage {
    case .picture(let picture): picture
    case .bitmap(let bitmap):
      bitmap.bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          bitmap.layout.picture(
            at: $0, bytesPerRow: bitmap.bytesPerRow, size: PixelSize(width: width, height: height))
        } ?? Image(uninitialized: .rgb8, size: PixelSize(width: 0, height: 0))
      }
    }
  }

  /// Returns the pixels in a rectangle with its origin at the upper left; `nil` if there are none.
  ///
  /// The rectangle is enlarged to whole pixels, and clipped to the image.
  public func cropping(to rect: CGRect) -> CGImage? {
    guard !rect.isNull, !rect.isInfinite else { return nil }
    let whole = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !whole.isNull, whole.width > 0, whole.height > 0 else { return nil }
    let box = BoundingBox(
      left: Double(whole.minX), top: Double(whole.minY), right: Double(whole.maxX),
      bottom: Double(whole.maxY))
    return (try? picture.cropped(to: box)).map(CGImage.init)
  }

  /// Returns a copy, which is the same image.
  public func copy() -> CGImage? { self }
}

/// The bytes of an image.
public final class CGDataProvider: Sendable {
  /// The bytes.
  public let data: CFData?

  init(_ data: Data) { self.data = data }

  /// Creates a provider of bytes.
  public convenience init?(data: CFData) { self.init(data) }

  /// Creates a provider of bytes, which are copied.
  public convenience init?(data: NSData) { self.init(Data(referencing: data)) }

  /// Creates a provider of the contents of a file; `nil` if it cannot be read.
  public convenience init?(url: URL) {
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.init(data)
  }
}
