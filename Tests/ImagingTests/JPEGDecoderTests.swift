import Foundation
import OcellusImaging
import OcellusTestSupport
import Testing

@Suite struct JPEGDecoderTests {
  static let folder = SharedFiles.folder.appending(path: "zoo/images").path
  static let isMissing = Comment(rawValue: SharedFiles.missing)

  /// A small picture of gradients, which JPEG preserves well.
  static let smooth: Image = {
    var image = Image(uninitialized: .rgb8, size: PixelSize(width: 65, height: 34))
    image.withUnsafeMutableBytes { bytes in
      for index in 0..<65 * 34 {
        bytes[3 * index] = UInt8(index % 65 * 3)
        bytes[3 * index + 1] = UInt8(index / 65 * 7)
        bytes[3 * index + 2] = UInt8(200 - index % 65 * 2)
      }
    }
    return image
  }()

  @Test(.enabled(if: SharedFiles.arePresent, isMissing), arguments: JPEGTruth.pictures)
  func filesAreReadAsDjpegReadsThem(truth: JPEGTruth.Picture) throws {
    let image = try Image(contentsOf: "\(Self.folder)/jpeg/\(truth.name).jpg")
    #expect("\(image.storedSize)" == truth.size)
    let means = image.meansOfNineBlocks
    #expect(means.count == truth.means.count)
    #expect(zip(means, truth.means).allSatisfy { abs($0 - $1) <= 1 }, "\(means)")
  }

  /// Reference pictures, except two with chroma subsampling in gray, which no decoder reads alike.
  static let references = SharedFiles.paths(in: "zoo/images/jpeg/reftest", withExtension: "png")
    .filter { FileManager.default.fileExists(atPath: $0.dropLast(4) + ".jpg") }
    .filter { !$0.contains("sampling2x2") }

  @Test(.enabled(if: !references.isEmpty, isMissing), arguments: references)
  func everyPixelIsAsInTheReference(path: String) throws {
    let image = try Image(contentsOf: path.dropLast(4) + ".jpg")
    let reference = try Image(contentsOf: path)
    #expect(image.storedSize == reference.storedSize)
    // References of gray pictures may have three equal channels and an alpha channel.
    let pixels = image.storedSize.width * image.storedSize.height
    let (values, expected) = (image.rowBytes, reference.rowBytes)
    let (step, wanted) = (values.count / pixels, expected.count / pixels)
    var worst = 0
    for pixel in 0..<pixels {
      for color in 0..<min(3, wanted) {
        let value = Int(values[pixel * step + min(color, step - 1)])
        worst = max(worst, abs(value - Int(expected[pixel * wanted + color])))
      }
    }
    #expect(worst <= 2)
  }

  static let turned: [(set: String, values: [Int])] = [
    ("Landscape", Array(1...8)), ("Portrait", [1, 2, 3, 4, 6, 8]),
    ("hopper_orientation", Array(2...8)),
  ]

  @Test(.enabled(if: SharedFiles.arePresent, isMissing), arguments: turned)
  func allOfASetStandUpright(set: String, values: [Int]) throws {
    var first: [Double]?
    for value in values {
      let image = try Image(contentsOf: "\(Self.folder)/exif/\(set)_\(value).jpg")
      #expect(image.orientation.rawValue == value)
      let means = image.upright().meansOfNineBlocks
      let expected = first ?? means
      first = expected
      // The pictures were compressed after their rotation.
      #expect(zip(means, expected).allSatisfy { abs($0 - $1) < 2.5 }, "\(value): \(means)")
    }
  }

  @Test func pixelsComeBack() throws {
    for subsampling in ImageEncoding.ChromaSubsampling.allCases {
      let file = try Self.smooth.encoded(as: .jpeg(quality: 95, subsampling: subsampling))
      let decoded = try DecodedImage(decoding: file)
      #expect(decoded.format == .jpeg)
      #expect(decoded.image.format == .rgb8)
      let worst = zip(decoded.image.rowBytes, Self.smooth.rowBytes).map { abs(Int($0) - Int($1)) }
      #expect((worst.max() ?? 255) <= 12)
    }
  }

  @Test func truncatedFilesAreReadAsFarAsTheyGo() throws {
    let file = try Self.smooth.encoded(as: .jpeg(quality: 95, subsampling: .none))
    let half = Array(file.prefix(file.count - 400))
    let decoded = try DecodedImage(decoding: half)
    #expect(decoded.warnings.count == 1)
    // The first row of blocks is intact.
    let first = zip(decoded.image.rowBytes, Self.smooth.rowBytes).prefix(3 * 65 * 8)
    #expect(first.allSatisfy { abs(Int($0) - Int($1)) <= 12 })
    var options = ImageDecodingOptions()
    options.strict = true
    let error = try #require(throws: ImageError.self) {
      try Image(decoding: half, options: options)
    }
    #expect(error.kind == .malformed)
    #expect(error.message.hasPrefix("libjpeg-turbo: "))
  }

  @Test(arguments: [
    // 65 by 34 pixels in eighths, rounded up; from 5/8 on the picture is decoded as a whole.
    (PixelSize(width: 1, height: 1), PixelSize(width: 9, height: 5)),
    (PixelSize(width: 9, height: 5), PixelSize(width: 9, height: 5)),
    (PixelSize(width: 10, height: 5), PixelSize(width: 17, height: 9)),
    (PixelSize(width: 1, height: 13), PixelSize(width: 25, height: 13)),
    (PixelSize(width: 33, height: 17), PixelSize(width: 33, height: 17)),
    (PixelSize(width: 34, height: 1), PixelSize(width: 65, height: 34)),
    (PixelSize(width: 999, height: 999), PixelSize(width: 65, height: 34)),
  ])
  func picturesAreDecodedAtTheFractionNeeded(minimum: PixelSize, size: PixelSize) throws {
    let file = try Self.smooth.encoded(as: .jpeg(quality: 95))
    var options = ImageDecodingOptions()
    options.minimumSize = minimum
    let decoded = try DecodedImage(decoding: file, options: options)
    #expect(decoded.image.storedSize == size)
    #expect(decoded.sourceSize == PixelSize(width: 65, height: 34))
    let difference = zip(decoded.image.meansOfNineBlocks, Self.smooth.meansOfNineBlocks)
    // Neighbouring blocks of eight pixels differ by 24.
    #expect(difference.allSatisfy { abs($0 - $1) < 24 })
  }

  @Test func orientationInBothByteOrders() throws {
    let file = try Self.smooth.encoded(as: .jpeg())
    let little = bytes(hex: "49492a00 08000000 0100 1201 0300 01000000 08000000")
    let big = bytes(hex: "4d4d002a 00000008 0001 0112 0003 00000001 00080000")
    for block in [little, big] {
      // Another kind of segment and an empty one come first; the last one continues the EXIF data.
      let segments = [Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8), [], exif(block), exif([0])]
      let decoded = try DecodedImage(decoding: file.inserting(applicationSegments: segments))
      #expect(decoded.image.orientation == .left)
      #expect(decoded.sourceSize == PixelSize(width: 34, height: 65))
      #expect(decoded.warnings.isEmpty)
    }
  }

  @Test func minimumSizeIsThatOfTheUprightPicture() throws {
    let block = bytes(hex: "4d4d002a 00000008 0001 0112 0003 00000001 00060000")
    let file = try Self.smooth.encoded(as: .jpeg()).inserting(applicationSegments: [exif(block)])
    var options = ImageDecodingOptions()
    options.minimumSize = PixelSize(width: 17, height: 33)
    #expect(try Image(decoding: file, options: options).size == PixelSize(width: 17, height: 33))
    options.ignoresOrientation = true
    #expect(try Image(decoding: file, options: options).size == PixelSize(width: 65, height: 34))
  }

  @Test(arguments: [
    "", "XX*\0", "II*\0\u{1}\0\0\u{7F}", "II*\0\u{8}\0\0\0\u{1}\0",
    "II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{3}\0\u{1}\0\0\0\u{9}\0\0\0",
    "II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{2}\0\u{1}\0\0\0\u{6}\0\0\0",
  ])
  func brokenEXIFIsAWarning(block: String) throws {
    let file = try Self.smooth.encoded(as: .jpeg())
      .inserting(applicationSegments: [exif(Array(block.utf8))])
    let decoded = try DecodedImage(decoding: file)
    #expect(decoded.image.orientation == .up)
    // An empty segment is no error.
    #expect(decoded.warnings.count == (block.isEmpty ? 0 : 1))
  }

  @Test func sizesAndPassesAreLimited() throws {
    var options = ImageDecodingOptions()
    options.limits.maximumPixels = 65 * 34 - 1
    let file = try Self.smooth.encoded(as: .jpeg())
    #expect(throws: ImageError.self) { try Image(decoding: file, options: options) }
    // The file has a progressive frame (SOF2) of 16384 by 16384 pixels and a hundred scans.
    let frame = bytes(hex: "ffd8 ffc2000b 08 4000 4000 01 01 11 00")
    let pass = bytes(hex: "ffda0008 01 01 00 00 00 00")
    let error = try #require(throws: ImageError.self) {
      try Image(decoding: frame + Array(repeatElement(pass, count: 100).joined()))
    }
    #expect(error.kind == .tooLarge)
  }

  @Test func otherKindsAreNamed() throws {
    let error = try #require(throws: ImageError.self) {
      try Image(decoding: bytes(hex: "ffd8 ffc1000b 0c 0010 0010 01 01 11 00 ffda0002"))
    }
    #expect(error.kind == .unsupported)
    #expect(error.byteOffset == 4)
    #expect(error.message.contains("12 bits"))
  }

  private func exif(_ block: [UInt8]) -> [UInt8] { Array("Exif\0\0".utf8) + block }
}

extension [UInt8] {
  /// Returns the JPEG file with more APP1 segments at its beginning.
  fileprivate func inserting(applicationSegments: [[UInt8]]) -> [UInt8] {
    var segments: [UInt8] = []
    for data in applicationSegments {
      segments += [0xFF, 0xE1, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)]
      segments += data
    }
    var file = self
    file.insert(contentsOf: segments, at: 2)
    return file
  }
}

extension Image {
  /// The means of all channels in nine blocks, three by three, in row order.
  var meansOfNineBlocks: [Double] {
    let (width, height) = (storedSize.width, storedSize.height)
    let colors = planes[0].rowBytes / width
    let bytes = rowBytes
    func range(_ block: Int, of length: Int) -> Range<Int> {
      let start = min(length * block / 3, length - 1)
      return start..<Swift.max(length * (block + 1) / 3, start + 1)
    }
    return (0..<9).flatMap { block in
      let rows = range(block / 3, of: height)
      let columns = range(block % 3, of: width)
      return (0..<colors).map { color in
        let sum = rows.reduce(0) { sum, row in
          columns.reduce(sum) { $0 + Int(bytes[(row * width + $1) * colors + color]) }
        }
        return Double(sum) / Double(rows.count * columns.count)
      }
    }
  }
}
