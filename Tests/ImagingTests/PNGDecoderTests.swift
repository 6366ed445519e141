import Foundation
import OcellusImaging
import OcellusTestSupport
import Testing

@Suite struct PNGDecoderTests {
  static let suite = SharedFiles.paths(in: "zoo/images/pngsuite", withExtension: "png")

  /// Red, half transparent green and transparent blue, then reversed; written by Pillow.
  static let palette = bytes(
    hex: """
      89504e470d0a1a0a0000000d4948445200000003000000020203000000e01a8e8900000009504c5445ff0000
      00ff000000ff2d4acd8a0000000374524e53ff80007f6d68780000000c49444154789c63906098000000dc00
      a96ce7c0230000000049454e44ae426082
      """)

  /// White, black, white over black, white, black, with one bit per pixel; written by Pillow.
  static let bits = bytes(
    hex: """
      89504e470d0a1a0a0000000d4948445200000003000000020100000000b50f5bb70000000c49444154789c63
      58c0e00000022400e173eb3bf20000000049454e44ae426082
      """)

  @Test func palettesBecomeColors() throws {
    let decoded = try DecodedImage(decoding: Self.palette)
    #expect(decoded.format == .png)
    #expect(decoded.image.format == .rgba8)
    #expect(decoded.sourceSize == PixelSize(width: 3, height: 2))
    let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
      [255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0]
    )
    let pixels = [red, green, blue, blue, green, red]
    #expect(decoded.image.rowBytes == Array(pixels.joined()))
  }

  @Test func bitsBecomeBytes() throws {
    let image = try Image(decoding: Self.bits)
    #expect(image.format == .gray8)
    #expect(image.rowBytes == [255, 0, 255, 0, 255, 0])
  }

  @Test(.enabled(if: !suite.isEmpty, Comment(rawValue: SharedFiles.missing)), arguments: suite)
  func suiteIsReadAsPillowReadsIt(path: String) throws {
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    if name.hasPrefix("x") {
      let error = try #require(throws: ImageError.self) { try Image(contentsOf: path) }
      #expect(error.path == path)
      #expect(error.kind == .malformed || error.kind == .unsupported)
    } else {
      let decoded = try DecodedImage(contentsOf: path)
      #expect(decoded.image.digest == PNGSuiteTruth.digests[name])
      #expect(decoded.warnings.isEmpty)
    }
  }

  @Test(.enabled(if: !suite.isEmpty, Comment(rawValue: SharedFiles.missing)))
  func textsAreRead() throws {
    func texts(_ name: String) throws -> [DecodedImage.Text] {
      let path = try #require(Self.suite.first { $0.hasSuffix("/\(name).png") })
      return try DecodedImage(contentsOf: path).texts
    }
    let keywords = ["Title", "Author", "Copyright", "Description", "Software", "Disclaimer"]
    // The texts are uncompressed, compressed, and compressed in UTF-8.
    for name in ["ct1n0g04", "ctzn0g04", "ctgn0g04"] {
      #expect(try texts(name).map(\.keyword) == keywords)
    }
    #expect(try texts("ct1n0g04").first?.text == "PngSuite")
    #expect(try texts("ctzn0g04").last?.text == "Freeware.")
    #expect(try texts("ctgn0g04").last?.text == "Δωρεάν λογισμικό.")
  }

  @Test func orientationOfTheEXIFChunk() throws {
    let block = bytes(hex: "4d4d002a 00000008 0001 0112 0003 00000001 00060000")
    let turned = try DecodedImage(decoding: Self.bits.inserting(chunk: "eXIf", block))
    #expect(turned.image.orientation == .right)
    #expect(turned.sourceSize == PixelSize(width: 2, height: 3))
    var options = ImageDecodingOptions()
    options.ignoresOrientation = true
    let stored = try DecodedImage(
      decoding: Self.bits.inserting(chunk: "eXIf", block), options: options)
    #expect(stored.image.orientation == .up)
    #expect(stored.sourceSize == PixelSize(width: 3, height: 2))
  }

  @Test func brokenEXIFIsAWarning() throws {
    let file = Self.bits.inserting(chunk: "eXIf", bytes(hex: "4d4d002a ffffffff"))
    let decoded = try DecodedImage(decoding: file)
    #expect(decoded.image.orientation == .up)
    #expect(decoded.warnings.count == 1)
    var options = ImageDecodingOptions()
    options.strict = true
    #expect(throws: ImageError.self) { try DecodedImage(decoding: file, options: options) }
  }

  @Test func everyShorterFileIsAnError() {
    for count in 0..<Self.palette.count - 12 {
      let error = #expect(throws: ImageError.self) {
        try Image(decoding: Array(Self.palette.prefix(count)))
      }
      if count >= 33 { #expect(error?.kind == .malformed) }
    }
  }

  @Test func sizesAreLimited() throws {
    var huge = Self.bits
    huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(throws: ImageError.self) { try Image(decoding: huge) }
    var options = ImageDecodingOptions()
    options.limits.maximumPixels = 5
    let error = try #require(throws: ImageError.self) {
      try Image(decoding: Self.bits, options: options)
    }
    #expect(error.kind == .tooLarge)
  }

  @Test func errorsNameTheChunkAndLibpngsReason() throws {
    var damaged = Self.bits
    damaged[damaged.count - 20] ^= 1
    let error = try #require(throws: ImageError.self) { try Image(decoding: damaged) }
    #expect(error.kind == .malformed)
    #expect(error.byteOffset == 33)
    #expect(error.message.hasPrefix("libpng: IDAT: "))
  }
}
