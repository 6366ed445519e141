import OcellusImaging
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct ImageEncodingTests {
  static let formats: [PixelFormat] = [.gray8, .gray16, .rgb8, .rgba8]

  @Test(arguments: formats, [0, 6])
  func pngComesBackAsItWas(format: PixelFormat, compressionLevel: Int) throws {
    let image = Image.ramp(format, width: 13, height: 7)
    let file = try image.encoded(as: .png(compressionLevel: compressionLevel))
    let decoded = try Image(decoding: file)
    #expect(decoded.format == format)
    #expect(decoded.storedSize == image.storedSize)
    #expect(decoded.rowBytes == image.rowBytes)
  }

  @Test func picturesAreWrittenUpright() throws {
    let image = try Image(
      .gray8, size: PixelSize(width: 3, height: 2), orientation: .right, bytes: [1, 2, 3, 4, 5, 6])
    let decoded = try Image(decoding: try image.encoded(as: .png()))
    #expect(decoded.size == PixelSize(width: 2, height: 3))
    #expect(decoded.rowBytes == [4, 1, 5, 2, 6, 3])
  }

  @Test func blueFirstIsWrittenRedFirst() throws {
    let image = try Image(.bgra8, size: PixelSize(width: 1, height: 1), bytes: [10, 20, 30, 40])
    #expect(try Image(decoding: try image.encoded(as: .png())).rowBytes == [30, 20, 10, 40])
    let jpeg = try Image(decoding: try image.encoded(as: .jpeg(quality: 100, subsampling: .none)))
    #expect(zip(jpeg.rowBytes, [30, 20, 10]).allSatisfy { abs(Int($0) - $1) <= 2 })
  }

  @Test func grayOfSixteenBitsLosesItsLowerByteInJPEG() throws {
    let image = try Image(.gray16, size: PixelSize(width: 1, height: 1), bytes: [77, 100])
    let decoded = try Image(decoding: try image.encoded(as: .jpeg(quality: 100)))
    #expect(decoded.format == .gray8)
    #expect(abs(Int(decoded.rowBytes[0]) - 100) <= 1)
  }

  @Test func rowsWithPaddingAreWritten() throws {
    let frame: [UInt8] = [0, 1, 2, 9, 9, 3, 4]
    try frame.withUnsafeBytes { bytes in
      let image = try Image(
        borrowing: bytes, .gray8, size: PixelSize(width: 2, height: 2),
        planes: [(byteOffset: 1, rowStride: 4)])
      #expect(try Image(decoding: try image.encoded(as: .png())).rowBytes == [1, 2, 3, 4])
    }
  }

  @Test func nameOfTheFileChoosesTheFormat() throws {
    #expect(try ImageEncoding(fileName: "a.b/Photo.JPG") == .jpeg())
    #expect(try ImageEncoding(fileName: "x.png") == .png())
    for name in ["x", "x.gif", "a.png/x", ".png"] {
      let error = try #require(throws: ImageError.self) { try ImageEncoding(fileName: name) }
      #expect(error.kind == .unsupported)
    }
  }

  @Test func filesAreWrittenAndRead() throws {
    let directory = try TemporaryDirectory()
    let image = Image.ramp(.rgb8, width: 5, height: 4)
    try image.write(to: directory.path + "/a.png")
    let decoded = try DecodedImage(contentsOf: directory.path + "/a.png")
    #expect(decoded.image.rowBytes == image.rowBytes)
    let error = try #require(throws: ImageError.self) {
      try image.write(to: directory.path + "/missing/a.png")
    }
    #expect(error.kind == .unreadable)
    #expect(error.path == directory.path + "/missing/a.png")
  }

  @Test func pathsThatAreNoFilesAreNamed() throws {
    let directory = try TemporaryDirectory()
    #expect(mkfifo(directory.path + "/pipe", 0o600) == 0)
    #expect(creat(directory.path + "/empty", 0o600) >= 0)
    for (name, word) in [
      ("", "directory"), ("/pipe", "pipe"), ("/empty", "empty"), ("/missing", "No such file"),
    ] {
      let path = directory.path + name
      let error = try #require(throws: ImageError.self) { try Image(contentsOf: path) }
      #expect(error.path == path)
      #expect(error.message.contains(word))
    }
    var options = ImageDecodingOptions()
    options.limits.maximumBytes = 100
    let path = directory.path + "/large.png"
    try Image.ramp(.rgb8, width: 20, height: 20).write(to: path)
    let error = try #require(throws: ImageError.self) {
      try Image(contentsOf: path, options: options)
    }
    #expect(error.kind == .tooLarge)
  }
}
