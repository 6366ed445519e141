import OcellusArrays
import OcellusImaging
import OcellusPlatform
import OcellusTestSupport

extension StrangersReader {
  /// The openings of pictures in all formats.
  static let pictures: [StrangersReader] = [
    picture(
      "JPEG", openings: [[0xFF, 0xD8], [0xFF, 0xD8, 0xFF]],
      tokens: [
        [0xFF], [0xD8], [0], [0xFF, 0xD8], [0xFF, 0xD9], [0xFF, 0xE1, 0, 2],
        [0xFF, 0xFE, 0, 3, 65],
        [0xFF, 0xDA, 0, 2],
      ]),
    picture(
      "EXIF", openings: [exif(order: "II*\0", [8, 0, 0, 0]), exif(order: "MM\0*", [0, 0, 0, 8])],
      tokens: [[0], [0xFF], [0x12, 1, 3, 0], [1, 0x12, 0, 3], [8, 0, 0, 0]]),
    picture(
      "PNG", openings: [signatureOfPNG, signatureOfPNG + headerOfPNG],
      tokens: [[0], [0xFF], chunk("tEXt", [65, 0, 66]), chunk("IDAT", []), chunk("aaaa", [1])]),
    picture("BMP", openings: [Array("BM".utf8)], tokens: [[0], [0xFF], [40, 0, 0, 0], [1, 0]]),
    picture(
      "PNM", openings: ["P1 ", "P3 4 4 255 ", "P5 9 9 ", "P7\n"].map { Array($0.utf8) },
      tokens: ["1", " ", "#", "\n", "# a\n", "WIDTH 1\n", "TUPLTYPE a\n", "a"].map {
        Array($0.utf8)
      }),
    StrangersReader(
      "headers of NPY", openings: ["{", "{'shape': (", "{'descr': '"],
      tokens: ["1", "1,", "(", ")", "'", "\"", " ", "'a':", ",", "\u{301}"]
    ) { bytes in
      let length = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8 & 255)]
      _ = try? NPYArray(file: NPYArray.magic + [1, 0] + length + bytes)
    },
  ]

  /// Videos, in which a small byte limit per picture makes readers reach it.
  static let videos: [StrangersReader] = [
    video(
      "MJPEG", openings: [[0xFF, 0xD8]],
      tokens: [
        [0xFF], [0xD8], [0], [0xFF, 0xD8], [0xFF, 0xD9], [0xFF, 0xE0, 0, 2],
        [0xFF, 0xD8, 0xFF, 0xD9],
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 2], [0xFF, 0xE0, 0xFF, 0xFF],
      ]),
    video(
      "Y4M", openings: ["YUV4MPEG2 ", "YUV4MPEG2 W1 H1 Cmono\n"].map { Array($0.utf8) },
      tokens: ["W1 ", "F1:1 ", "F", "FRAME", "FRAME\n", "FRAME \n1", "\n", " ", "x"].map {
        Array($0.utf8)
      }),
  ]

  private static func picture(
    _ format: String, openings: [[UInt8]], tokens: [[UInt8]]
  ) -> StrangersReader {
    StrangersReader("pictures of \(format)", bytes: openings, tokens: tokens) { bytes in
      var options = ImageDecodingOptions()
      options.limits.maximumPixels = 1 << 16
      options.limits.maximumBytes = 1 << 18
      _ = try? Image(decoding: bytes, options: options)
    }
  }

  private static func video(
    _ format: String, openings: [[UInt8]], tokens: [[UInt8]]
  ) -> StrangersReader {
    let folder = try? TemporaryDirectory()
    return StrangersReader("videos of \(format)", bytes: openings, tokens: tokens) { bytes in
      let path = (folder?.path ?? "/nonexistent") + "/video"
      try? FileSystem.write(bytes, to: path)
      var options = VideoReader.Options()
      options.decoding.limits.maximumBytes = 1 << 11
      guard let reader = try? VideoReader(contentsOf: path, options: options) else { return }
      var isAtEnd = false
      while !isAtEnd {
        do { isAtEnd = try reader.next() == nil } catch {}
      }
    }
  }

  // MARK: Beginnings

  /// Returns a JPEG file with an EXIF segment of the maximum length.
  private static func exif(order: String, _ offset: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0".utf8) + Array(order.utf8) + offset
      + [0xFF, 0xFF]
  }

  private static let signatureOfPNG: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
  private static let headerOfPNG = chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 0, 0, 0, 0])

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + data
    var sum = ~UInt32(0)
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return bigEndian(UInt32(data.count)) + content + bigEndian(~sum)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
