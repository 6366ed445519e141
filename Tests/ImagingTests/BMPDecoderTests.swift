import OcellusImaging
import OcellusTestSupport
import Testing

@Suite struct BMPDecoderTests {
  /// Returns a bitmap with a Windows 3 header of 40 bytes, followed by `extra`.
  private func bitmap(
    _ width: Int32, _ height: Int32, bits: UInt16, compression: UInt32 = 0, colors: UInt32 = 0,
    extra: [UInt8] = [], data: [UInt8]
  ) -> [UInt8] {
    var file = Array("BM".utf8)
    func append(_ numbers: UInt32...) {
      for number in numbers { withUnsafeBytes(of: number.littleEndian) { file += Array($0) } }
    }
    append(UInt32(54 + extra.count + data.count), 0, UInt32(54 + extra.count), 40)
    append(UInt32(bitPattern: width), UInt32(bitPattern: height), UInt32(bits) << 16 | 1)
    append(compression, UInt32(data.count), 0, 0, colors, 0)
    file += extra
    file += data
    return file
  }

  /// Black, red, green and blue, each as blue, green, red and an unused byte.
  private let palette: [UInt8] = [0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0]
  private let colors: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]

  private func pixels(_ indices: [Int]) -> [UInt8] { indices.flatMap { colors[$0] } }

  @Test func rowsBeginBelowUnlessTheHeightIsNegative() throws {
    // Two rows of one pixel, each padded to four bytes.
    let rows: [UInt8] = [3, 2, 1, 0, 6, 5, 4, 0]
    let below = try DecodedImage(decoding: bitmap(1, 2, bits: 24, data: rows))
    #expect(below.format == .bmp)
    #expect(below.image.format == .rgb8)
    #expect(below.image.rowBytes == [4, 5, 6, 1, 2, 3])
    let above = try Image(decoding: bitmap(1, -2, bits: 24, data: rows))
    #expect(above.rowBytes == [1, 2, 3, 4, 5, 6])
  }

  @Test func palettesOfAllDepths() throws {
    let bit = bitmap(3, 1, bits: 1, colors: 2, extra: Array(palette[..<8]), data: [0x40, 0, 0, 0])
    #expect(try Image(decoding: bit).rowBytes == pixels([0, 1, 0]))
    let nibble = bitmap(3, 1, bits: 4, colors: 4, extra: palette, data: [0x12, 0x30, 0, 0])
    #expect(try Image(decoding: nibble).rowBytes == pixels([1, 2, 3]))
    // Index 77 has no colour in the palette.
    let byte = bitmap(3, 1, bits: 8, colors: 4, extra: palette, data: [3, 2, 77, 0])
    #expect(try Image(decoding: byte).rowBytes == pixels([3, 2, 0]))
  }

  @Test func palettesOfGrayAreGray() throws {
    let grays: [UInt8] = [0, 0, 0, 0, 99, 99, 99, 0]
    let image = try Image(
      decoding: bitmap(2, 1, bits: 8, colors: 2, extra: grays, data: [1, 0, 0, 0]))
    #expect(image.format == .gray8)
    #expect(image.rowBytes == [99, 0])
  }

  @Test func bitFields() throws {
    // Without masks pixels are 5-5-5: 31 becomes 255, and 16 becomes 131 (131.6 rounded down).
    let plain = bitmap(2, 1, bits: 16, data: [0x1F, 0x7C, 0x00, 0x02])
    #expect(try Image(decoding: plain).rowBytes == [255, 0, 255, 0, 131, 0])
    let masks = bytes(hex: "00f80000 e0070000 1f000000")
    let masked = bitmap(
      2, 1, bits: 16, compression: 3, extra: masks, data: [0xE0, 0x07, 0x1F, 0xF8])
    #expect(try Image(decoding: masked).rowBytes == [0, 255, 0, 255, 0, 255])
    let opacity = bytes(hex: "000000ff 0000ff00 00ff0000 ff000000")
    let four = bitmap(1, 1, bits: 32, compression: 6, extra: opacity, data: [4, 3, 2, 1])
    let image = try Image(decoding: four)
    #expect(image.format == .rgba8)
    #expect(image.rowBytes == [1, 2, 3, 4])
  }

  @Test func rle8() throws {
    // Three of 1; two single ones; end of row; a jump over one pixel of the next row; three of 2.
    let data: [UInt8] = [3, 1, 0, 3, 2, 3, 1, 0, 0, 0, 0, 2, 1, 0, 3, 2, 0, 1]
    let file = bitmap(6, 3, bits: 8, compression: 1, colors: 4, extra: palette, data: data)
    let decoded = try DecodedImage(decoding: file)
    #expect(decoded.warnings.isEmpty)
    #expect(
      decoded.image.rowBytes
        == pixels([0, 0, 0, 0, 0, 0] + [0, 2, 2, 2, 0, 0] + [1, 1, 1, 2, 3, 1]))
  }

  @Test func rle4() throws {
    // Five alternating between 1 and 2; end of row; five single ones, padded to an even byte.
    let data: [UInt8] = [5, 0x12, 0, 0, 0, 5, 0x32, 0x10, 0x30, 0, 0, 1]
    let file = bitmap(5, 2, bits: 4, compression: 2, colors: 4, extra: palette, data: data)
    #expect(try Image(decoding: file).rowBytes == pixels([3, 2, 1, 0, 3] + [1, 2, 1, 2, 1]))
  }

  @Test func runsThatEndEarlyAreAWarning() throws {
    let file = bitmap(
      2, 2, bits: 8, compression: 1, colors: 4, extra: palette, data: [9, 1, 0, 0, 1])
    let decoded = try DecodedImage(decoding: file)
    #expect(decoded.warnings.count == 1)
    #expect(decoded.image.rowBytes == pixels([0, 0, 1, 1]))
    var options = ImageDecodingOptions()
    options.strict = true
    #expect(throws: ImageError.self) { try Image(decoding: file, options: options) }
  }

  @Test func headerOfTheFirstBitmaps() throws {
    // The header has 12 bytes and sizes of 16 bits; colours have three bytes.
    let file = bytes(
      hex: "424d 24000000 00000000 20000000 0c000000 0200 0100 0100 0100 030201 060504 40000000")
    #expect(try Image(decoding: file).rowBytes == [1, 2, 3, 4, 5, 6])
  }

  @Test func brokenFilesAreErrors() {
    let whole = bitmap(3, 2, bits: 24, data: [UInt8](repeating: 7, count: 24))
    for count in 2..<whole.count {
      #expect(throws: ImageError.self) { try Image(decoding: Array(whole.prefix(count))) }
    }
    for (bits, compression) in [(24, 1), (8, 2), (4, 1), (7, 0), (8, 3), (24, 4), (24, 5)] {
      #expect(throws: ImageError.self) {
        try Image(
          decoding: bitmap(
            1, 1, bits: UInt16(bits), compression: UInt32(compression), data: [0, 0, 0, 0]))
      }
    }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (Int32.max, Int32.max), (1, Int32.min)] {
      #expect(throws: ImageError.self) {
        try Image(decoding: bitmap(width, height, bits: 8, data: [0, 0, 0, 0]))
      }
    }
  }

  @Test(arguments: [.rgb8, .rgba8] as [PixelFormat], [1, 2, 3, 4, 5])
  func picturesComeBack(format: PixelFormat, width: Int) throws {
    let image = Image.ramp(format, width: width, height: 3)
    let decoded = try Image(decoding: try image.encoded(as: .bmp))
    #expect(decoded.format == format)
    #expect(decoded.rowBytes == image.rowBytes)
  }

  static let files = SharedFiles.paths(in: "zoo/images", withExtension: "bmp")

  /// FNV-1a of "rgb8 WxH" and the rows, as Pillow 13.0.0 decodes the files.
  static let digests: [String: UInt64] = [
    "grace_hopper.bmp": 0xFB75030F95D3EEE0,
    "0001.bmp": 0x915002002EFE26CC,
    "0002.bmp": 0xF7D3BD54D83D4D38,
    "0003.bmp": 0xD031219D11ECA755,
  ]

  @Test(.enabled(if: !files.isEmpty, Comment(rawValue: SharedFiles.missing)), arguments: files)
  func filesAreReadAsPillowReadsThem(path: String) throws {
    let name = try #require(path.split(separator: "/").last)
    #expect(try Image(contentsOf: path).digest == Self.digests[String(name)])
  }
}
