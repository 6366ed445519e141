import OcellusImaging
import OcellusPlatform
import OcellusTestSupport
import Testing

@Suite struct VideoReaderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func path(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(directory.path)/\(name)"
    let file = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  private func frames(_ path: String, options: VideoReader.Options = .init()) throws -> [VideoFrame]
  {
    let reader = try VideoReader(contentsOf: path, options: options)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  /// Two frames of 3 by 2 pixels: six of luma, and two each of Cb and Cr.
  private let video =
    Array("YUV4MPEG2 W3 H2 F30000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG\nFRAME\n".utf8)
    + [UInt8](1...10) + Array("FRAME Ip\n".utf8) + [UInt8](11...20)

  @Test func framesOfY4M() throws {
    let frames = try frames(try path("v.y4m", video))
    #expect(frames.map(\.index) == [0, 1])
    // 1001/30000 of a second.
    #expect(frames[1].timestamp == .nanoseconds(1_001_000_000) / 30)
    let format = PixelFormat.i420(YCbCrEncoding(matrix: .bt601, range: .video))
    #expect(frames.map(\.image.format) == [format, format])
    #expect(frames.map(\.image.rowBytes) == [[UInt8](1...10), [UInt8](11...20)])
  }

  @Test func rateMatrixAndRange() throws {
    let full = Array("YUV4MPEG2 W1 H1 XCOLORRANGE=FULL\nFRAME\n".utf8) + [1, 2, 3]
    var options = VideoReader.Options()
    options.matrix = .bt709
    options.frameRate = FrameRate(frames: 2)
    let frame = try #require(try frames(try path("v.y4m", full), options: options).first)
    #expect(frame.image.format == .i420(YCbCrEncoding(matrix: .bt709, range: .full)))
    let reader = try VideoReader(contentsOf: "\(directory.path)/v.y4m", options: options)
    #expect(reader.frameRate.timestamp(of: 3) == .milliseconds(1500))
    #expect(try VideoReader(contentsOf: "\(directory.path)/v.y4m").frameRate == .usual)
  }

  @Test func grayAndFullColors() throws {
    let mono = Array("YUV4MPEG2 W2 H1 F1:1 Cmono\nFRAME\n".utf8) + [7, 8]
    #expect(try frames(try path("m.y4m", mono)).map(\.image.rowBytes) == [[7, 8]])
    // Red in full-range BT.601 is 76, 85, 255; white is 255, 128, 128.
    let full =
      Array("YUV4MPEG2 W2 H1 F1:1 C444 XCOLORRANGE=FULL\nFRAME\n".utf8)
      + [76, 255, 85, 128, 255, 128]
    let image = try #require(try frames(try path("f.y4m", full)).first).image
    #expect(image.format == .rgb8)
    let expected: [Int] = [254, 0, 0, 255, 255, 255]
    #expect(zip(image.rowBytes, expected).allSatisfy { abs(Int($0) - $1) <= 1 })
    // Three pixels, two of which share a colour.
    let half =
      Array("YUV4MPEG2 W3 H1 F1:1 C422 XCOLORRANGE=FULL\nFRAME\n".utf8)
      + [76, 76, 255, 85, 128, 255, 128]
    let shared = try #require(try frames(try path("h.y4m", half)).first).image
    #expect(Array(shared.rowBytes[..<3]) == Array(shared.rowBytes[3..<6]))
    #expect(Array(shared.rowBytes[6...]) == [255, 255, 255])
  }

  @Test func damagedFramesAreNamedAndPassedOver() throws {
    var damaged = video
    let second = try #require(damaged.indices.last { damaged[$0] == UInt8(ascii: "F") })
    // A frame between the two has a wrong header.
    damaged.insert(contentsOf: Array("GARBAGE".utf8) + [1, 2, 3], at: second)
    let reader = try VideoReader(contentsOf: try path("d.y4m", damaged))
    #expect(try reader.next()?.index == 0)
    let error = try #require(throws: ImageError.self) { try reader.next() }
    #expect(error.kind == .malformed)
    #expect(error.byteOffset == second)
    #expect(error.message.hasPrefix("frame 1: "))
    let frame = try #require(try reader.next())
    #expect(frame.index == 2)
    #expect(frame.image.rowBytes == [UInt8](11...20))
    #expect(try reader.next() == nil)
  }

  @Test func truncatedFramesAreNamed() throws {
    let reader = try VideoReader(contentsOf: try path("t.y4m", Array(video.dropLast(3))))
    #expect(try reader.next() != nil)
    let error = try #require(throws: ImageError.self) { try reader.next() }
    #expect(error.message == "frame 1: the video ends after 7 of the frame's 10 bytes")
    #expect(error.byteOffset == video.count - 10)
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [
    "", "YUV4MPEG2 ", "YUV4MPEG2 W3\n", "YUV4MPEG2 W0 H1\n", "YUV4MPEG2 Wx H1\n",
    "YUV4MPEG2 W3 H2 C420p10\n", "YUV4MPEG2 W3 H2 F1\n", "YUV4MPEG2 W99999999 H99999999\n",
    "GIF89a", "YUV4MPEG2 W-1 H-1\n",
  ])
  func otherFilesAreErrors(text: String) throws {
    let path = try path("x", Array(text.utf8))
    let error = try #require(throws: ImageError.self) { try VideoReader(contentsOf: path) }
    #expect(error.path == path)
  }

  @Test(arguments: [Y4MWriter.Sampling.half, .full])
  func videosComeBack(sampling: Y4MWriter.Sampling) throws {
    let path = directory.path + "/w.y4m"
    let rate = try #require(FrameRate(frames: 24_000, seconds: 1001))
    // A uniform colour survives chroma subsampling.
    let colors: [[UInt8]] = [[200, 30, 90], [10, 240, 120]]
    let size = PixelSize(width: 5, height: 3)
    let writer = try Y4MWriter(path: path, size: size, frameRate: rate, sampling: sampling)
    for color in colors {
      let pixels = Array(repeatElement(color, count: 15).joined())
      try writer.write(try Image(.rgb8, size: size, bytes: pixels))
    }
    #expect(throws: ImageError.self) { try writer.write(.ramp(.rgb8, width: 3, height: 5)) }
    try writer.close()
    let frames = try frames(path)
    #expect(frames.count == 2)
    #expect(frames[1].timestamp == .nanoseconds(1_001_000_000) / 24)
    for (frame, color) in zip(frames, colors) {
      let pixels = try frame.image.converted(to: .rgb8).rowBytes
      let worst = pixels.indices.map { abs(Int(pixels[$0]) - Int(color[$0 % 3])) }.max()
      #expect((worst ?? 255) <= 3)
    }
  }

  @Test func foldersInTheOrderOfNumbers() throws {
    for (name, gray) in [("b.png", 4), ("a10.png", 3), ("a9.png", 2), ("a1.PNG", 1)] {
      let image = try Image(.gray8, size: PixelSize(width: 1, height: 1), bytes: [UInt8(gray)])
      try image.write(to: "\(directory.path)/\(name)")
    }
    _ = try path("notes.txt", [1])
    #expect(try frames(directory.path).map(\.image.rowBytes) == [[1], [2], [3], [4]])
    #expect(try frames(directory.path + "/a%d.png").map(\.image.rowBytes) == [[2], [3]])
    #expect(try frames(directory.path + "/b.png").count == 1)
    // A percent sign may be part of an existing file's name.
    try Image.ramp(.gray8, width: 1, height: 1).write(to: directory.path + "/100%.png")
    #expect(try frames(directory.path + "/100%.png").count == 1)
    for pattern in ["/c%d.png", "/a%x.png", "/a%d%d.png"] {
      #expect(throws: ImageError.self) { try VideoReader(contentsOf: directory.path + pattern) }
    }
  }

  @Test func numbersOfFixedWidth() throws {
    for name in ["f_0009", "f_0010", "f_10000", "f_011", "f_00012"] {
      try Image.ramp(.gray8, width: 1, height: 1).write(to: "\(directory.path)/\(name).png")
    }
    #expect(try frames(directory.path + "/f_%04d.png").count == 3)
  }

  @Test func brokenPicturesOfAFolderArePassedOver() throws {
    try Image.ramp(.gray8, width: 1, height: 1).write(to: "\(directory.path)/1.png")
    let broken = try path("2.png", [1, 2, 3])
    try Image.ramp(.gray8, width: 2, height: 1).write(to: "\(directory.path)/3.png")
    let reader = try VideoReader(contentsOf: directory.path)
    #expect(try reader.next()?.image.size.width == 1)
    let error = try #require(throws: ImageError.self) { try reader.next() }
    #expect(error.path == broken)
    #expect(try reader.next()?.image.size.width == 2)
  }

  @Test func streamsOfJPEG() throws {
    let pictures = try (1...3).map {
      try Image.ramp(.gray8, width: 8 * $0, height: 8).encoded(as: .jpeg())
    }
    // The first picture has a thumbnail with its own end marker; between the others there is junk.
    var stream = Array(pictures[0][..<2])
    let length = pictures[2].count + 2
    stream += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + pictures[2]
    stream += pictures[0][2...]
    stream += pictures[1] + [0, 1, 2] + pictures[2].dropLast(2)
    let frames = try frames(try path("v.mjpeg", stream))
    #expect(frames.map(\.image.size.width) == [8, 16, 24])
    #expect(frames[2].timestamp == .milliseconds(80))
  }

  /// A picture is returned as soon as its bytes are there, even if the camera pauses afterwards.
  @Test func picturesAreReadAsTheyCome() throws {
    let picture = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try #require(write(ends[1], picture, picture.count) == picture.count)
    // The pipe stays open, so reading beyond the picture would block for ever.
    let reader = try VideoReader(contentsOf: "/proc/self/fd/\(ends[0])")
    #expect(try reader.next()?.image.size.width == 8)
    try #require(write(ends[1], picture, picture.count) == picture.count)
    #expect(try reader.next()?.image.size.width == 8)
  }

  /// A picture without an end does not make the reader take the whole stream for it.
  @Test func endlessPicturesArePassedOver() throws {
    let picture = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    let beginning: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 2]
    let stream = beginning + [UInt8](repeating: 0, count: 40 << 20) + picture
    let reader = try VideoReader(contentsOf: try path("v.mjpeg", stream))
    let error = #expect(throws: ImageError.self) { try reader.next() }
    #expect(error?.kind == .tooLarge)
    #expect(try reader.next()?.image.size.width == 8)
    #expect(try reader.next() == nil)
  }

  /// A truncated picture ends where the next one begins.
  @Test func picturesThatAreCutOffEndWhereTheNextBegins() throws {
    let first = try Image.ramp(.gray8, width: 64, height: 64).encoded(as: .jpeg())
    let second = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    let stream: [UInt8] = Array(first[..<(first.count - 40)]) + [0xFF, 0xD8] + second
    let frames = try frames(try path("v.mjpeg", stream))
    #expect(frames.map(\.image.size.width) == [64, 8])
  }

  /// The time is linear in the stream's length: no byte is searched twice.
  @Test func streamsOfBeginningsArePassedOver() throws {
    let picture = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    let beginnings = [[UInt8]](repeating: [0xFF, 0xD8], count: 20 << 20).flatMap(\.self)
    let frames = try frames(try path("v.mjpeg", beginnings + picture))
    #expect(frames.map(\.index) == [0])
    // Beginnings without an end, with segments that make the reader look further.
    let endless = [[UInt8]](repeating: [0xFF, 0xD8, 0xFF, 0xE0, 0, 2], count: 3000).flatMap(\.self)
    let reader = try VideoReader(contentsOf: try path("w.mjpeg", endless + picture))
    var broken = 0
    while true {
      do {
        guard try reader.next() != nil else { break }
      } catch { broken += 1 }
    }
    #expect(broken == 1001)
  }

  /// A stream ends with an error after too many broken pictures in a row.
  @Test func filmsOfBrokenPicturesAreGivenUp() throws {
    let broken = [[UInt8]](repeating: [0xFF, 0xD8, 0xFF, 0xD9], count: 30).flatMap(\.self)
    let picture = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    var options = VideoReader.Options()
    options.maximumBrokenFrames = 29
    let path = try path("v.mjpeg", picture + broken + picture)
    let reader = try VideoReader(contentsOf: path, options: options)
    #expect(try reader.next() != nil)
    var errors: [ImageError] = []
    while true {
      do {
        guard try reader.next() != nil else { break }
        Issue.record("the last picture is behind too many broken ones")
      } catch { errors.append(error) }
    }
    #expect(errors.count == 30)
    #expect(errors.first?.message.contains("given up") == false)
    #expect(errors.last?.message.contains("30 broken frames in a row") == true)
    #expect(errors.last?.path == path)
    options.maximumBrokenFrames = 30
    let patient = try VideoReader(contentsOf: path, options: options)
    var good = 0
    for _ in 0..<32 where (try? patient.next()) != nil { good += 1 }
    #expect(good == 2)
  }

  @Test func brokenPicturesOfAStreamArePassedOver() throws {
    let picture = try Image.ramp(.gray8, width: 8, height: 8).encoded(as: .jpeg())
    let stream = picture + [0xFF, 0xD8, 0xFF, 0xD9] + picture
    let reader = try VideoReader(contentsOf: try path("v.mjpeg", stream))
    #expect(try reader.next() != nil)
    let error = try #require(throws: ImageError.self) { try reader.next() }
    #expect(error.message.hasPrefix("frame 1: "))
    #expect((error.byteOffset ?? 0) >= picture.count)
    #expect(try reader.next()?.index == 2)
    #expect(try reader.next() == nil)
  }
}
