import OcellusImaging
import Testing

@Suite struct ImageConversionTests {
  private static let video = YCbCrEncoding(matrix: .bt601, range: .video)
  private let size = PixelSize(width: 64, height: 48)

  /// The bytes of one plane, 64 wide and 72 high, in which OpenCV arranges 64x48 video.
  private var frame: [UInt8] {
    SyntheticPicture.bytes(PixelSize(width: 64, height: 72), channels: 1)
  }

  /// Conversions equal `cv2.cvtColor` of OpenCV 5.0 (YUV2RGB_NV12, YUV2RGB_I420, RGB2YUV_I420).
  @Test func videoIsOpenCVs() throws {
    let nv12 = try Image(.nv12(Self.video), size: size, bytes: frame)
    #expect(try SyntheticPicture.digest(nv12.converted(to: .rgb8).bytes) == 0x2cd3_5a6c_0823_45c)
    let i420 = try Image(.i420(Self.video), size: size, bytes: frame)
    #expect(
      try SyntheticPicture.digest(i420.converted(to: .rgb8).bytes) == 0x7afd_b4e5_49e6_99b1)
    let rgb = try SyntheticPicture.rgb(size)
    let video = try rgb.converted(to: .i420(Self.video))
    #expect(SyntheticPicture.digest(video.bytes) == 0xa022_1017_ae6e_49a9)
    #expect(
      try rgb.converted(to: .nv12(Self.video)).converted(to: video.format).bytes == video.bytes)
  }

  /// Gray equals `Image.convert("L")` of Pillow 13.0.
  @Test func grayIsPillows() throws {
    let gray = try SyntheticPicture.rgb(size).converted(to: .gray8)
    #expect(SyntheticPicture.digest(gray.bytes) == 0x7948_1869_5402_7611)
  }

  /// Red in every encoding is rounded from the standards' equations, except 82: exactly it is
  /// 81.48, but 81.54 with OpenCV's rounded factors.
  @Test(
    arguments: [
      (.bt601, .full, [76, 85, 255]), (.bt601, .video, [82, 90, 240]),
      (.bt709, .full, [54, 99, 255]), (.bt709, .video, [63, 102, 240]),
    ] as [(YCbCrEncoding.Matrix, YCbCrEncoding.Range, [UInt8])])
  func redInEveryEncoding(
    matrix: YCbCrEncoding.Matrix, range: YCbCrEncoding.Range, expected: [UInt8]
  ) throws {
    let red = try Image(.rgb8, size: PixelSize(width: 1, height: 1), bytes: [255, 0, 0])
    let video = try red.converted(to: .nv12(YCbCrEncoding(matrix: matrix, range: range)))
    #expect(video.bytes == expected)
    let back = try video.converted(to: .rgb8).bytes.map(Int.init)
    #expect(zip(back, [255, 0, 0]).allSatisfy { abs($0 - $1) <= 2 })
  }

  @Test func ordersOfBytes() throws {
    let pixel = PixelSize(width: 1, height: 1)
    let rgba = try Image(.rgba8, size: pixel, bytes: [10, 20, 30, 40])
    let expected: [(PixelFormat, [UInt8])] = [
      (.bgra8, [30, 20, 10, 40]), (.rgb8, [10, 20, 30]), (.gray8, [18]),
      // 18·257 = 4626 = 0x1212.
      (.gray16, [0x12, 0x12]),
    ]
    for (format, bytes) in expected {
      #expect(try rgba.converted(to: format).bytes == bytes)
    }
    let gray = try Image(.gray8, size: pixel, bytes: [7])
    #expect(try gray.converted(to: .bgra8).bytes == [7, 7, 7, 255])
    let planes = try rgba.converted(to: .planarFloat(channels: 4))
    let floats = planes.withUnsafeBytes { Array($0.bindMemory(to: Float.self).prefix(4)) }
    #expect(floats == [10, 20, 30, 40])
    #expect(try planes.converted(to: .rgba8).bytes == rgba.bytes)
  }

  @Test(
    arguments: [
      PixelFormat.gray8, .gray16, .rgb8, .rgba8, .bgra8, .nv12(video), .i420(.jpeg),
      .planarFloat(channels: 3),
    ])
  func oddSizesAndPartsOfEveryFormat(format: PixelFormat) throws {
    let image = try SyntheticPicture.rgb(PixelSize(width: 13, height: 9)).converted(to: format)
    let rgb = try image.converted(to: .rgb8)
    // A region that begins at even pixels keeps its format and colours.
    for box in [
      BoundingBox(left: 2, top: 4, right: 9, bottom: 9),
      BoundingBox(left: 3, top: 1, right: 20, bottom: 8),
    ] {
      let part = try image.cropped(to: box)
      #expect(try part.converted(to: .rgb8).bytes == rgb.cropped(to: box).bytes)
    }
    #expect(
      try image.resized(to: PixelSize(width: 7, height: 5), using: .openCVLinear).size.width == 7)
  }

  /// Gray of 16 bits is converted as decoders convert 16-bit colours: multiples of 257 are exact.
  @Test func deepGrayBecomesItsHighByte() throws {
    let values: [UInt16] = [0, 128, 129, 257, 32767, 65406, 65407, 65535]
    let image = try Image(
      .gray16, size: PixelSize(width: values.count, height: 1),
      bytes: values.withUnsafeBytes { Array($0) })
    #expect(try image.converted(to: .gray8).bytes == [0, 0, 0, 1, 127, 255, 255, 255])
    let floats = try image.converted(to: .planarFloat(channels: 1))
    #expect(try floats.converted(to: .gray16).bytes == image.bytes)
  }

  @Test func partsFollowTheUprightPicture() throws {
    let upright = try SyntheticPicture.rgb(PixelSize(width: 12, height: 7))
    let box = BoundingBox(left: 2, top: 1, right: 7, bottom: 6)
    for orientation in Orientation.allCases {
      var turned = upright
      turned.orientation = orientation.inverse
      var stored = turned.upright()
      stored.orientation = orientation
      #expect(try stored.cropped(to: box).upright().bytes == upright.cropped(to: box).bytes)
    }
    #expect(throws: ImageError.self) {
      try upright.cropped(to: BoundingBox(x: 12, y: 0, width: 5, height: 5))
    }
  }

  @Test func twoPlanesOfFloatsHaveNoColours() throws {
    let image = Image(
      uninitialized: .planarFloat(channels: 2), size: PixelSize(width: 2, height: 2))
    #expect(throws: ImageError.self) { try image.converted(to: .rgb8) }
    #expect(throws: ImageError.self) {
      try SyntheticPicture.rgb(size).converted(to: .planarFloat(channels: 2))
    }
  }
}
