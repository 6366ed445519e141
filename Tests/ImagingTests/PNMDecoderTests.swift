import OcellusImaging
import Testing

@Suite struct PNMDecoderTests {
  @Test func textWithComments() throws {
    let text = "P3 # colours\n2 2\n# half way to fifteen and back\n15\n0 1 2 3 4 5\n6 7 8 9 10 15\n"
    let decoded = try DecodedImage(decoding: Array(text.utf8))
    #expect(decoded.format == .pnm)
    #expect(decoded.image.format == .rgb8)
    #expect(
      decoded.image.rowBytes == [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 255])
  }

  @Test func grayTextEndsWithoutABlank() throws {
    #expect(try Image(decoding: Array("P2 1 2 1000 500 1000".utf8)).format == .gray16)
    #expect(try Image(decoding: Array("P2 2 1 100 50 100".utf8)).rowBytes == [128, 255])
  }

  @Test func samplesOfSixteenBits() throws {
    let gray = try Image(decoding: Array("P5\n2 1\n65535\n".utf8) + [0x12, 0x34, 0xFF, 0xFF])
    #expect(gray.format == .gray16)
    #expect(gray.rowBytes == [0x34, 0x12, 0xFF, 0xFF])
    // 257 is one step of a byte; 128 is less than half of it, and 129 is more.
    let color = try Image(decoding: Array("P6 1 1 65535 ".utf8) + [1, 1, 0, 128, 0, 129])
    #expect(color.format == .rgb8)
    #expect(color.rowBytes == [1, 0, 1])
  }

  @Test func samplesAboveTheLargestAreCutOffInBytesAndWrongInText() throws {
    #expect(try Image(decoding: Array("P5 2 1 100 ".utf8) + [100, 200]).rowBytes == [255, 255])
    let error = try #require(throws: ImageError.self) {
      try Image(decoding: Array("P2 2 1 100 100 200".utf8))
    }
    #expect(error.byteOffset == 18)
  }

  @Test func arbitraryMaps() throws {
    let header = "P7\nWIDTH 1\nHEIGHT 2\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n"
    let image = try Image(decoding: Array(header.utf8) + [10, 20, 30, 40])
    #expect(image.format == .rgba8)
    #expect(image.rowBytes == [10, 10, 10, 20, 30, 30, 30, 40])
    let colors = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nENDHDR\n"
    #expect(try Image(decoding: Array(colors.utf8) + [1, 2, 3, 4]).rowBytes == [1, 2, 3, 4])
  }

  @Test(arguments: [
    "P5 ", "P5 1", "P5 1 1", "P5 1 1 255", "P5 1 1 255 ", "P5 0 1 255 x", "P5 1 1 0 x",
    "P5 1 1 65536 xx", "P5 99999999 99999999 255 x", "P5 99999999999999999999 1 255 x",
    "P5 -1 1 255 x", "P6 65535 65535 255 x", "P2 2 1 255 1", "P2 2 1 255 1 x", "P7\nENDHDR\nx",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 255\nENDHDR\nxxxxxxxxx", "P7\nCOLOR 1\n", "P4 1 1 x",
  ])
  func brokenFilesAreErrors(text: String) {
    #expect(throws: ImageError.self) { try Image(decoding: Array(text.utf8)) }
  }

  @Test(arguments: [.gray8, .gray16, .rgb8] as [PixelFormat])
  func picturesComeBack(format: PixelFormat) throws {
    let image = Image.ramp(format, width: 5, height: 3)
    let decoded = try Image(decoding: try image.encoded(as: .pnm))
    #expect(decoded.format == format)
    #expect(decoded.rowBytes == image.rowBytes)
  }

  @Test func opacityIsLeftOut() throws {
    let image = try Image(.rgba8, size: PixelSize(width: 1, height: 1), bytes: [1, 2, 3, 4])
    #expect(try image.encoded(as: .pnm) == Array("P6\n1 1\n255\n".utf8) + [1, 2, 3])
  }
}
