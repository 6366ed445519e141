import CoreGraphics
import CoreImage
import OcellusImaging
import OcellusTestSupport
import Testing
import UIKit

@Suite struct ImageTests {
  @Test func imagesDescribeTheirPixels() throws {
    let image = CGImage(try Pixels.picture(.right))
    #expect((image.width, image.height) == (6, 5))
    #expect((image.bitsPerComponent, image.bitsPerPixel, image.bytesPerRow) == (8, 32, 24))
    #expect(image.alphaInfo == .noneSkipLast && image.byteOrderInfo == .orderDefault)
    let data = try #require(image.dataProvider?.data)
    #expect(Array(data.prefix(8)) == [0, 53, 106, 255, 37, 90, 143, 255])
    #expect(data.count == 120)
    let gray = CGImage(Image(uninitialized: .gray8, size: PixelSize(width: 3, height: 2)))
    #expect((gray.bitsPerPixel, gray.bytesPerRow, gray.alphaInfo) == (8, 3, .none))
    #expect(gray.colorSpace == CGColorSpaceCreateDeviceGray())
  }

  @Test func imagesAreMadeOfBytes() throws {
    func image(_ bytes: [UInt8], bits: Int = 32, rowBytes: Int = 8, width: Int = 2) -> CGImage? {
      CGDataProvider(data: Data(bytes) as CFData).flatMap {
        CGImage(
          width: width, height: 1, bitsPerComponent: 8, bitsPerPixel: bits, bytesPerRow: rowBytes,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGBitmapInfo(
            rawValue: bits == 24
              ? CGImageAlphaInfo.none.rawValue : CGImageAlphaInfo.first.rawValue),
          provider: $0, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
      }
    }
    let alpha = try #require(image([1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(Pixels.bytes(alpha.picture) == [2, 3, 4, 1, 6, 7, 8, 5])
    let colors = try #require(image([1, 2, 3, 4, 5, 6], bits: 24, rowBytes: 6))
    #expect(Pixels.bytes(colors.picture) == [1, 2, 3, 4, 5, 6])
    #expect(image([1, 2, 3, 4, 5, 6, 7]) == nil)
    #expect(image([1, 2, 3, 4, 5, 6, 7, 8], width: 3) == nil)
    #expect(image([1, 2, 3, 4, 5, 6, 7, 8], bits: 16) == nil)
  }

  @Test func partsAreCutOut() throws {
    let image = CGImage(try Pixels.picture())
    let part = try #require(image.cropping(to: CGRect(x: 1.5, y: 3, width: 2, height: 9)))
    #expect((part.width, part.height) == (3, 2))
    let expected = [3, 4].flatMap { y in
      (1..<4).flatMap { x in (0..<3).map { Pixels.sample(x, y, $0) } }
    }
    #expect(try Pixels.colors(part) == expected)
    #expect(image.cropping(to: CGRect(x: 9, y: 0, width: 2, height: 2)) == nil)
    #expect(image.cropping(to: .null) == nil)
  }

  // MARK: UIKit

  @Test func sizesAreInPointsOfTheUprightPicture() throws {
    let picture = UIImage(try Pixels.picture(.right))
    #expect(picture.imageOrientation == .right && picture.scale == 1)
    #expect(picture.size == CGSize(width: 5, height: 6))
    #expect(picture.cgImage?.width == 6)
    let pixels = try #require(picture.cgImage)
    let fine = UIImage(cgImage: pixels, scale: 2, orientation: .up)
    #expect(fine.size == CGSize(width: 3, height: 2.5))
    #expect(fine.pixels.orientation == .up)
    #expect(UIImage().size == .zero && UIImage().cgImage == nil)
    #expect(fine.copy() as? UIImage === fine)
  }

  @Test func filesAreRead() throws {
    let folder = try TemporaryDirectory()
    let picture = UIImage(try Pixels.picture(.right))
    let png = try #require(picture.pngData())
    try png.write(to: URL(filePath: folder.path + "/turned.png"))
    try #require(picture.jpegData(compressionQuality: 0.9)).write(
      to: URL(filePath: folder.path + "/turned.jpeg"))
    let read = try #require(UIImage(contentsOfFile: folder.path + "/turned.png"))
    #expect(read.size == CGSize(width: 5, height: 6))
    #expect(Pixels.bytes(read.pixels) == Pixels.bytes(try Pixels.picture(.right).upright()))
    #expect(UIImage(data: png)?.size == read.size)
    #expect(UIImage(data: png, scale: 2)?.size == CGSize(width: 2.5, height: 3))
    #expect(UIImage(contentsOfFile: folder.path + "/missing.png") == nil)
    #expect(UIImage(data: Data([1, 2, 3])) == nil && UIImage().pngData() == nil)

    let bundle = try #require(Bundle(path: folder.path))
    #expect(UIImage(named: "turned", in: bundle)?.size == read.size)
    #expect(UIImage(named: "turned.jpeg", in: bundle)?.size == read.size)
    #expect(UIImage(named: "other", in: bundle) == nil && UIImage(named: "no such picture") == nil)
  }

  /// A picture is drawn upright to a context whose origin is at the upper left.
  @Test(arguments: Orientation.allCases)
  func picturesAreDrawnUpright(orientation: Orientation) throws {
    let picture = UIImage(try Pixels.picture(orientation))
    UIGraphicsBeginImageContextWithOptions(picture.size, true, 1)
    picture.draw(in: CGRect(origin: .zero, size: picture.size))
    let drawn = try #require(UIGraphicsGetImageFromCurrentImageContext())
    UIGraphicsEndImageContext()
    #expect(drawn.size == picture.size && drawn.imageOrientation == .up)
    #expect(try Pixels.colors(drawn.cgImage) == Pixels.bytes(picture.pixels.upright()))
    #expect(UIGraphicsGetCurrentContext() == nil)
  }

  /// The origin is at the upper left: the picture covers the second column of the first row.
  @Test func renderersDraw() throws {
    let pixel = UIImage(
      try Image(.rgb8, size: PixelSize(width: 1, height: 1), bytes: [9, 8, 7]))
    let drawn = UIGraphicsImageRenderer(size: CGSize(width: 3, height: 2)).image { context in
      UIColor.red.setFill()
      context.fill(CGRect(x: 0, y: 1, width: 1, height: 1))
      pixel.draw(at: CGPoint(x: 1, y: 0))
    }
    var expected = [UInt8](repeating: 0, count: 24)
    expected.replaceSubrange(4..<8, with: [9, 8, 7, 255])
    expected.replaceSubrange(12..<16, with: [255, 0, 0, 255])
    #expect(try Array(#require(drawn.cgImage?.dataProvider?.data)) == expected)
    let none = UIGraphicsImageRenderer(size: CGSize(width: CGFloat.nan, height: 2)).image { _ in }
    #expect(none.cgImage == nil)
  }

  /// Half of white over black is gray; replaced, it is half visible.
  @Test func picturesAreDrawnWithAnOpacity() throws {
    let white = UIImage(
      try Image(.gray8, size: PixelSize(width: 1, height: 1), bytes: [255]))
    let point = CGRect(x: 0, y: 0, width: 1, height: 1)
    for (mode, expected) in [(CGBlendMode.normal, 255), (.copy, 128)] as [(CGBlendMode, UInt8)] {
      let drawn = UIGraphicsImageRenderer(size: point.size).image { context in
        UIColor.black.setFill()
        context.fill(point)
        white.draw(in: point, blendMode: mode, alpha: 0.5)
      }
      #expect(
        try Array(#require(drawn.cgImage?.dataProvider?.data)) == [128, 128, 128, expected])
    }
  }

  @Test func buffersBecomeImages() throws {
    let buffer = try CVPixelBuffer(Pixels.picture())
    let picture = CIImage(cvPixelBuffer: buffer)
    #expect(picture.extent == CGRect(x: 0, y: 0, width: 6, height: 5))
    let image = CIContext(options: nil).createCGImage(picture, from: picture.extent)
    #expect(try Pixels.colors(image) == Pixels.samples(channels: 3))
    // The lowest row is that at the origin.
    let lowest = CIContext().createCGImage(
      picture, from: CGRect(x: 0, y: 0, width: 6, height: 1))
    #expect(try Pixels.colors(lowest) == Pixels.samples(channels: 3).suffix(18))
  }

  @Test func colorsHaveComponents() {
    var (red, green, blue, alpha) = (CGFloat(), CGFloat(), CGFloat(), CGFloat())
    #expect(
      UIColor.orange.withAlphaComponent(0.25).getRed(
        &red, green: &green, blue: &blue, alpha: &alpha))
    #expect([red, green, blue, alpha] == [1, 0.5, 0, 0.25])
    let gray = UIColor.gray.cgColor
    #expect(gray.components == [0.5, 1])
    let colors = gray.converted(
      to: CGColorSpaceCreateDeviceRGB(), intent: .defaultIntent, options: nil)
    #expect(colors?.components == [0.5, 0.5, 0.5, 1])
    #expect(UIColor(red: 1, green: 0, blue: 0, alpha: 1) == UIColor.red)
  }

  @Test func transformsMapPointsAndRectangles() {
    let transform = CGAffineTransform.identity.translatedBy(x: 10, y: 20).scaledBy(x: 2, y: 3)
    #expect(CGPoint(x: 1, y: 1).applying(transform) == CGPoint(x: 12, y: 23))
    #expect(CGSize(width: 4, height: 5).applying(transform) == CGSize(width: 8, height: 15))
    let turned = CGRect(x: 1, y: 2, width: 3, height: 4).applying(
      CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
    #expect(turned == CGRect(x: -6, y: 1, width: 4, height: 3))
    let back = CGPoint(x: 12, y: 23).applying(transform.inverted())
    #expect(abs(back.x - 1) < 1e-9 && abs(back.y - 1) < 1e-9)
    #expect(CGAffineTransform().inverted() == CGAffineTransform())
    let quarter = CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(abs(quarter.x) < 1e-9 && abs(quarter.y - 1) < 1e-9)
  }

  @Test func messagesHaveTheirArguments() {
    #expect(LogMessage("%{public}@ of %d: %.2f", ["a", 3, 0.5]).text == "a of 3: 0.50")
    #expect(LogMessage("100%% %ld", [7]).text == "100% 7")
    #expect(LogMessage("%d %d", [1]).text == "1 ")
    #expect(LogMessage("%d, %n, %", ["text", 5]).text == "text, 5, ")
  }
}
