import CoreGraphics
import OcellusImaging
import Testing

/// Contexts that pictures are drawn to, with Core Graphics' coordinates: the origin is at the lower
/// left.
@Suite struct ContextTests {
  private func context(
    _ width: Int, _ height: Int, _ alpha: CGImageAlphaInfo = .premultipliedLast,
    _ order: CGBitmapInfo = [], data: UnsafeMutableRawPointer? = nil
  ) throws -> CGContext {
    try #require(
      CGContext(
        data: data, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: alpha.rawValue | order.rawValue))
  }

  private func bytes(_ context: CGContext) throws -> [UInt8] {
    try Array(#require(context.makeImage()?.dataProvider?.data))
  }

  // MARK: Layouts

  /// A picture of one pixel is in memory as the description of the bitmap says.
  @Test(
    arguments: [
      (CGImageAlphaInfo.noneSkipFirst, CGBitmapInfo(), [255, 10, 20, 30]),
      (.noneSkipLast, [], [10, 20, 30, 255]), (.premultipliedFirst, [], [255, 10, 20, 30]),
      (.premultipliedLast, .byteOrder32Big, [10, 20, 30, 255]),
      (.premultipliedFirst, .byteOrder32Little, [30, 20, 10, 255]),
      (.noneSkipLast, .byteOrder32Little, [255, 30, 20, 10]),
    ] as [(CGImageAlphaInfo, CGBitmapInfo, [UInt8])])
  func placesOfColors(alpha: CGImageAlphaInfo, order: CGBitmapInfo, expected: [UInt8]) throws {
    let pixel = try Image(.rgb8, size: PixelSize(width: 1, height: 1), bytes: [10, 20, 30])
    let context = try context(1, 1, alpha, order)
    context.draw(CGImage(pixel), in: CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(try bytes(context) == expected)
    #expect(try Pixels.colors(context.makeImage()) == [10, 20, 30])
  }

  @Test func graysAreLuma() throws {
    let context = try #require(
      CGContext(
        data: nil, width: 6, height: 5, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
    #expect(context.bytesPerRow == 6 && context.bitsPerPixel == 8)
    context.draw(CGImage(try Pixels.picture()), in: CGRect(x: 0, y: 0, width: 6, height: 5))
    let luma = (0..<30).map { place in
      let rgb = (0..<3).map { Double(Pixels.sample(place % 6, place / 6, $0)) }
      return UInt8((0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]).rounded())
    }
    #expect(try bytes(context) == luma)
  }

  @Test func otherPixelsAreRefused() {
    func isPossible(
      _ width: Int, _ height: Int, bits: Int = 8, rowBytes: Int = 0, _ info: UInt32
    ) -> Bool {
      CGContext(
        data: nil, width: width, height: height, bitsPerComponent: bits, bytesPerRow: rowBytes,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info) != nil
    }
    let usual = CGImageAlphaInfo.premultipliedLast.rawValue
    #expect(isPossible(2, 2, usual))
    #expect(!isPossible(0, 2, usual) && !isPossible(-1, 2, usual))
    #expect(!isPossible(.max, 2, usual) && !isPossible(2, 2, rowBytes: 7, usual))
    #expect(!isPossible(2, 2, rowBytes: .max, usual))
    #expect(!isPossible(2, 2, bits: 16, usual) && !isPossible(2, 2, CGImageAlphaInfo.none.rawValue))
    #expect(!isPossible(2, 2, CGImageAlphaInfo.last.rawValue))
    #expect(!isPossible(2, 2, usual | CGBitmapInfo.floatComponents.rawValue))
    #expect(!isPossible(2, 2, usual | CGBitmapInfo.byteOrder16Little.rawValue))
    #expect(!isPossible(2, 2, 31))
    #expect(CGColorSpace(name: CGColorSpace.sRGB) != nil && CGColorSpace(name: "mine") == nil)
  }

  /// A context in the caller's memory shows what is there, and does not free it.
  @Test func memoryOfTheCallersIsUsed() throws {
    var pixels: [UInt32] = [0xFF0A_141E, 0x8040_2010]
    let image = try pixels.withUnsafeMutableBytes { memory in
      try context(2, 1, .premultipliedFirst, .byteOrder32Little, data: memory.baseAddress)
        .makeImage()
    }
    // The second one is half visible: its colours were multiplied by 128 / 255.
    let picture = try #require(image).picture
    #expect(picture.format == .rgba8)
    #expect(Pixels.bytes(picture) == [10, 20, 30, 255, 128, 64, 32, 128])
  }

  // MARK: Drawing

  @Test func picturesAreUpright() throws {
    let context = try context(6, 5)
    context.draw(CGImage(try Pixels.picture()), in: CGRect(x: 0, y: 0, width: 6, height: 5))
    #expect(try Pixels.colors(context.makeImage()) == Pixels.samples(channels: 3))
  }

  /// The origin is at the lower left: a picture at 1, 0 lies in the last row, second column.
  @Test func theOriginIsBelow() throws {
    let pixel = try Image(.rgb8, size: PixelSize(width: 1, height: 1), bytes: [9, 8, 7])
    let context = try context(3, 2)
    context.draw(CGImage(pixel), in: CGRect(x: 1, y: 0, width: 1, height: 1))
    var expected = [UInt8](repeating: 0, count: 24)
    expected.replaceSubrange(16..<20, with: [9, 8, 7, 255])
    #expect(try bytes(context) == expected)
  }

  /// Smaller pictures equal Pillow's BILINEAR, and with high quality its BICUBIC.
  @Test(
    arguments: [
      (
        CGInterpolationQuality.default,
        [102, 130, 143, 126, 131, 140, 115, 148, 140, 120, 136, 128, 139, 137, 136, 141, 148, 126]
      ),
      (
        .high,
        [99, 128, 144, 125, 129, 142, 114, 151, 141, 123, 139, 125, 141, 134, 136, 142, 149, 124]
      ),
    ] as [(CGInterpolationQuality, [UInt8])])
  func picturesShrink(quality: CGInterpolationQuality, expected: [UInt8]) throws {
    let context = try context(3, 2)
    context.interpolationQuality = quality
    context.draw(CGImage(try Pixels.picture()), in: CGRect(x: 0, y: 0, width: 3, height: 2))
    #expect(try Pixels.colors(context.makeImage()) == expected)
  }

  /// Larger pictures are mixed from the nearest pixels: 0 and 200 become 0, 50, 150 and 200.
  @Test func picturesGrow() throws {
    let pair = try Image(.gray8, size: PixelSize(width: 2, height: 1), bytes: [0, 200])
    for (quality, expected) in [
      (CGInterpolationQuality.default, [0, 50, 150, 200] as [UInt8]), (.none, [0, 0, 200, 200]),
    ] {
      let context = try #require(
        CGContext(
          data: nil, width: 4, height: 1, bitsPerComponent: 8, bytesPerRow: 4,
          space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
      context.interpolationQuality = quality
      context.draw(CGImage(pair), in: CGRect(x: 0, y: 0, width: 4, height: 1))
      #expect(try bytes(context) == expected)
    }
  }

  /// The transforms that programs use to turn a picture upright do what `Image.upright()` does.
  @Test(arguments: [Orientation.up, .down, .left, .right, .upMirrored, .leftMirrored])
  func picturesAreTurned(orientation: Orientation) throws {
    let stored = try Pixels.picture(orientation)
    let upright = stored.upright()
    let (width, height) = (CGFloat(upright.size.width), CGFloat(upright.size.height))
    let context = try context(upright.size.width, upright.size.height)
    switch orientation {
    case .down:
      context.translateBy(x: width, y: height)
      context.rotate(by: .pi)
    case .left, .leftMirrored:
      context.translateBy(x: width, y: 0)
      context.rotate(by: .pi / 2)
    case .right:
      context.translateBy(x: 0, y: height)
      context.rotate(by: -.pi / 2)
    default: break
    }
    if orientation == .upMirrored {
      context.concatenate(CGAffineTransform(translationX: width, y: 0).scaledBy(x: -1, y: 1))
    } else if orientation == .leftMirrored {
      context.concatenate(CGAffineTransform(translationX: height, y: 0).scaledBy(x: -1, y: 1))
    }
    context.draw(CGImage(stored), in: CGRect(x: 0, y: 0, width: 6, height: 5))
    #expect(try Pixels.colors(context.makeImage()) == Pixels.bytes(upright))
  }

  /// Half of red over blue: 255 · 128 / 255 of red, and the rest of blue.
  @Test func transparentColorsAreMixed() throws {
    let context = try context(2, 1)
    context.setFillColor(red: 0, green: 0, blue: 1, alpha: 1)
    context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
    let half = try Image(.rgba8, size: PixelSize(width: 1, height: 1), bytes: [255, 0, 0, 128])
    context.draw(CGImage(half), in: CGRect(x: 0, y: 0, width: 2, height: 1))
    #expect(try bytes(context) == [128, 0, 127, 255, 128, 0, 0, 128])
    context.clear(CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(try bytes(context) == [0, 0, 0, 0, 128, 0, 0, 128])
  }

  @Test func statesAreRemembered() throws {
    let context = try context(2, 2)
    context.saveGState()
    context.scaleBy(x: 2, y: 3)
    context.translateBy(x: 5, y: 7)
    #expect(context.ctm == CGAffineTransform(a: 2, b: 0, c: 0, d: 3, tx: 10, ty: 21))
    context.restoreGState()
    #expect(context.ctm == .identity)
    context.restoreGState()
    #expect(context.ctm.isIdentity)
  }

  /// Rectangles and transforms without an area, and numbers that are none, draw nothing.
  @Test func nothingIsDrawnNowhere() throws {
    let image = CGImage(try Pixels.picture())
    let context = try context(2, 2)
    for rect in [
      CGRect.zero, .null, .infinite, CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
      CGRect(x: 1e300, y: 0, width: 1e300, height: 1e300),
      CGRect(x: -9, y: -9, width: 3, height: 3),
    ] {
      context.draw(image, in: rect)
    }
    context.concatenate(CGAffineTransform())
    context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(try bytes(context) == [UInt8](repeating: 0, count: 16))
  }
}
