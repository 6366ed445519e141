import OcellusImaging
import Testing

/// An unsupported format gives an error that names a command to convert it.
@Suite struct StrangeFormatTests {
  @Test(arguments: [
    ("RIFF....WEBPVP8 ....", "'dwebp IN.webp -o OUT.png'"),
    ("RIFF....WEBPVP8X....\u{10}", "'dwebp IN.webp -o OUT.png'"),
    ("RIFF....WEBPVP8X....\u{02}", "is animated"),
    ("....TFL3", "a TensorFlow Lite model"),
    ("....ftypheic", "'heif-convert IN.heic OUT.jpg'"),
    ("....ftypmif1", "'heif-convert IN.heic OUT.jpg'"),
    ("....ftypavif", "'avifdec IN.avif OUT.png'"),
    ("....ftypisom", "'ffmpeg -i IN.mp4 -f yuv4mpegpipe OUT.y4m'"),
    ("GIF89a", "'ffmpeg -i IN.gif frame-%04d.png'"),
    ("II*\0....", "'convert IN.tif OUT.png'"),
    ("P4\n1 1\n0", "'pbmtopgm 1 1 IN.pbm > OUT.pgm'"),
    ("P6 1 1 255\nabcP6 1 1 255\nabc", "several pictures: 'pamsplit"),
  ])
  func theErrorNamesTheCommand(beginning: String, advice: String) throws {
    let error = try #require(throws: ImageError.self) { try Image(decoding: Array(beginning.utf8)) }
    #expect(error.kind == .unsupported)
    #expect(error.description.contains(advice), "\(error)")
  }

  /// Returns a PNG file with the chunk that announces an animation after its header.
  private func png(frames: UInt8) throws -> [UInt8] {
    let image = try Image(.gray8, size: PixelSize(width: 1, height: 1), bytes: [7])
    var bytes = try image.encoded(as: .png())
    let announcement: [UInt8] = [0, 0, 0, 8] + Array("acTL".utf8) + [0, 0, 0, frames, 0, 0, 0, 0]
    let checksum = Self.checksum(announcement.dropFirst(4))
    bytes.insert(contentsOf: announcement + checksum, at: 8 + 25)
    return bytes
  }

  /// Returns the CRC-32, computed bit by bit.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return withUnsafeBytes(of: (~sum).bigEndian) { Array($0) }
  }

  @Test func animatedPicturesAreRefused() throws {
    let error = try #require(throws: ImageError.self) { try Image(decoding: png(frames: 3)) }
    #expect(error.kind == .unsupported)
    #expect(error.description.contains("animated (3 frames)"))
    #expect(try Image(decoding: png(frames: 1)).size == PixelSize(width: 1, height: 1))
  }
}
