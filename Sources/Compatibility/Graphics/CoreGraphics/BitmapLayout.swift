import OcellusImaging

/// The places of the channels in a pixel of one, three or four bytes.
struct BitmapLayout: Hashable, Sendable {
  /// The number of bytes of a pixel; one byte is gray.
  var bytesPerPixel: Int
  /// The places of red, green and blue; all are 0 for gray.
  var red: Int
  var green: Int
  var blue: Int
  /// The place of alpha; `nil` without alpha.
  var alpha: Int?
  /// Whether colours are multiplied by alpha.
  var isPremultiplied = false

  static let gray = BitmapLayout(bytesPerPixel: 1, red: 0, green: 0, blue: 0)
  static let rgb = BitmapLayout(bytesPerPixel: 3, red: 0, green: 1, blue: 2)
  static let bgr = BitmapLayout(bytesPerPixel: 3, red: 2, green: 1, blue: 0)
  static let rgba = BitmapLayout(bytesPerPixel: 4, red: 0, green: 1, blue: 2, alpha: 3)
  static let rgbx = BitmapLayout(bytesPerPixel: 4, red: 0, green: 1, blue: 2)
  static let bgra = BitmapLayout(bytesPerPixel: 4, red: 2, green: 1, blue: 0, alpha: 3)
  static let argb = BitmapLayout(bytesPerPixel: 4, red: 1, green: 2, blue: 3, alpha: 0)
  static let abgr = BitmapLayout(bytesPerPixel: 4, red: 3, green: 2, blue: 1, alpha: 0)

  var isGray: Bool { bytesPerPixel == 1 }

  /// The byte without a meaning in a pixel of four bytes without alpha.
  private var unused: Int? { bytesPerPixel == 4 && alpha == nil ? 6 - red - green - blue : nil }

  /// The format of pictures with these channels.
  private var format: PixelFormat { isGray ? .gray8 : alpha == nil ? .rgb8 : .rgba8 }

  /// Returns a picture with a copy of the pixels.
  func picture(
    at memory: UnsafeRawPointer, bytesPerRow: Int, size: PixelSize
  ) -> Image {
    var image = Image(uninitialized: self == .bgra ? .bgra8 : format, size: size)
    let rowBytes = image.planes[0].rowBytes
    image.withUnsafeMutableBytes { target in
      guard let target = target.baseAddress else { return }
      for y in 0..<size.height {
        read(memory + y * bytesPerRow, to: target + y * rowBytes, count: size.width)
      }
    }
    return image
  }

  /// Copies the pixels of a picture, which are not rotated upright.
  func write(
    _ image: Image, to memory: UnsafeMutableRawPointer, bytesPerRow: Int
  ) throws(ImageError) {
    let image = try image.converted(to: format)
    let plane = image.planes[0]
    image.withUnsafeBytes { source in
      guard let source = source.baseAddress else { return }
      for y in 0..<image.storedSize.height {
        write(
          source + (plane.byteOffset + y * plane.rowStride), to: memory + y * bytesPerRow,
          count: image.storedSize.width)
      }
    }
  }

  private func read(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    if isGray || self == .rgb || self == .rgba || self == .bgra {
      return target.copyMemory(from: source, byteCount: count * bytesPerPixel)
    }
    let targetBytes = alpha == nil ? 3 : 4
    for x in 0..<count {
      let (from, to) = (source + x * bytesPerPixel, target + x * targetBytes)
      let opacity = alpha.map { from.load(fromByteOffset: $0, as: UInt8.self) }
      func copy(_ place: Int, to channel: Int) {
        var value = from.load(fromByteOffset: place, as: UInt8.self)
        if isPremultiplied, let opacity { value = value.divided(byAlpha: opacity) }
        to.storeBytes(of: value, toByteOffset: channel, as: UInt8.self)
      }
      copy(red, to: 0)
      copy(green, to: 1)
      copy(blue, to: 2)
      if let opacity { to.storeBytes(of: opacity, toByteOffset: 3, as: UInt8.self) }
    }
  }

  private func write(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    if isGray || self == .rgb || self == .rgba {
      return target.copyMemory(from: source, byteCount: count * bytesPerPixel)
    }
    let sourceBytes = alpha == nil ? 3 : 4
    for x in 0..<count {
      let (from, to) = (source + x * sourceBytes, target + x * bytesPerPixel)
      let opacity = alpha == nil ? 255 : from.load(fromByteOffset: 3, as: UInt8.self)
      func copy(_ channel: Int, to place: Int) {
        var value = from.load(fromByteOffset: channel, as: UInt8.self)
        if isPremultiplied { value = value.multiplied(byAlpha: opacity) }
        to.storeBytes(of: value, toByteOffset: place, as: UInt8.self)
      }
      copy(0, to: red)
      copy(1, to: green)
      copy(2, to: blue)
      if let place = alpha ?? unused {
        to.storeBytes(of: opacity, toByteOffset: place, as: UInt8.self)
      }
    }
  }
}

// Single pixels, for drawing: colours multiplied by alpha, on the scale of bytes.
extension BitmapLayout {
  /// Returns red, green, blue and alpha of a pixel.
  func load(_ pixel: UnsafeRawPointer) -> SIMD4<Float> {
    func channel(_ place: Int) -> Float {
      Float(pixel.load(fromByteOffset: place, as: UInt8.self))
    }
    var color = SIMD4(channel(red), channel(green), channel(blue), alpha.map(channel) ?? 255)
    if alpha != nil, !isPremultiplied, color.w < 255 {
      color *= SIMD4(SIMD3(repeating: color.w / 255), 1)
    }
    return color
  }

  /// Writes a pixel of a layout that is premultiplied or has no alpha; gray gets the luma.
  func store(_ color: SIMD4<Float>, to pixel: UnsafeMutableRawPointer) {
    func set(_ place: Int, _ value: Float) {
      pixel.storeBytes(
        of: UInt8(min(max(value, 0), 255).rounded()), toByteOffset: place, as: UInt8.self)
    }
    if isGray { return set(0, 0.299 * color.x + 0.587 * color.y + 0.114 * color.z) }
    set(red, color.x)
    set(green, color.y)
    set(blue, color.z)
    if let alpha { set(alpha, color.w) } else if let unused { set(unused, 255) }
  }
}

extension BitmapLayout {
  /// Creates the layout that a bitmap's description denotes; `nil` for what is not supported here:
  /// floats, components of 16 bits, and more than three of them.
  init?(_ info: CGBitmapInfo, components: Int, bitsPerPixel: Int) {
    let order = info.intersection(.byteOrderMask)
    guard !info.contains(.floatComponents),
      [.byteOrderDefault, .byteOrder32Big, .byteOrder32Little].contains(order),
      let place = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
    else { return nil }
    switch (components, bitsPerPixel, place) {
    case (1, 8, .none): self = .gray
    case (3, 24, .none): self = .rgb
    case (3, 32, .noneSkipLast), (3, 32, .none): self = .rgbx
    case (3, 32, .noneSkipFirst): self = .argb
    case (3, 32, .last), (3, 32, .premultipliedLast): self = .rgba
    case (3, 32, .first), (3, 32, .premultipliedFirst): self = .argb
    default: return nil
    }
    if place == .noneSkipFirst { alpha = nil }
    isPremultiplied = place == .premultipliedLast || place == .premultipliedFirst
    guard order == .byteOrder32Little, bytesPerPixel == 4 else { return }
    (red, green, blue, alpha) = (3 - red, 3 - green, 3 - blue, alpha.map { 3 - $0 })
  }
}

extension UInt8 {
  /// Returns the colour times alpha, rounded.
  func multiplied(byAlpha alpha: UInt8) -> UInt8 {
    UInt8((Int(self) * Int(alpha) + 127) / 255)
  }

  /// Returns the colour that alpha was multiplied with, rounded; 0 where nothing is visible.
  func divided(byAlpha alpha: UInt8) -> UInt8 {
    alpha == 0 ? 0 : UInt8(Swift.min((Int(self) * 255 + Int(alpha) / 2) / Int(alpha), 255))
  }
}
