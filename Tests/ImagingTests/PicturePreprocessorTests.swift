import OcellusImaging
import Testing

@Suite struct PicturePreprocessorTests {
  private let size = PixelSize(width: 61, height: 43)

  /// Fills a tensor and returns its elements.
  private func elements<Element: BitwiseCopyable>(
    _: Element.Type, _ preprocessor: PicturePreprocessor, _ image: Image,
    region: BoundingBox? = nil
  ) throws -> [Element] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: preprocessor.tensor.byteCount, alignment: 64)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
    try preprocessor.fill(bytes, with: image, region: region)
    return Array(bytes.bindMemory(to: Element.self))
  }

  /// Returns the picture stored in an orientation that makes it upright again.
  private func stored(_ upright: Image, as orientation: Orientation) throws -> Image {
    var turned = upright
    turned.orientation = orientation.inverse
    var stored = turned.upright()
    stored.orientation = orientation
    return stored
  }

  /// Computes the tensor by its definition: crops the region from the upright picture, with padding
  /// outside, and resamples it.
  private func reference(
    _ upright: Image, _ part: BoundingBox, to size: PixelSize, _ resampler: Resampler,
    padding: UInt8
  ) throws -> [UInt8] {
    let bytes = upright.bytes
    let partSize = PixelSize(width: Int(part.width), height: Int(part.height))
    var cut: [UInt8] = []
    for y in Int(part.top)..<Int(part.bottom) {
      for x in Int(part.left)..<Int(part.right) {
        let isInside = 0..<upright.size.width ~= x && 0..<upright.size.height ~= y
        let pixel = isInside ? (y * upright.size.width + x) * 3 : 0
        cut += isInside ? Array(bytes[pixel..<pixel + 3]) : [padding, padding, padding]
      }
    }
    return try Image(.rgb8, size: partSize, bytes: cut).resized(to: size, using: resampler).bytes
  }

  @Test(arguments: Orientation.allCases, Resampler.allCases)
  func orientationsGiveTheSameTensor(orientation: Orientation, resampler: Resampler) throws {
    let upright = try SyntheticPicture.rgb(size)
    let regions = [
      BoundingBox(size), BoundingBox(left: 7, top: 3, right: 52, bottom: 30),
      BoundingBox(left: -9, top: 20, right: 30, bottom: 50),
      BoundingBox(left: 55, top: -5, right: 70, bottom: 60),
    ]
    let target = PixelSize(width: 23, height: 31)
    let preprocessor = try PicturePreprocessor(
      PictureTensor(size: target), resampler: resampler, padding: 77)
    for region in regions {
      let result = try elements(
        UInt8.self, preprocessor, stored(upright, as: orientation), region: region)
      let expected = try reference(upright, region, to: target, resampler, padding: 77)
      #expect(result == expected, "\(region)")
    }
  }

  @Test func regionsOutsideArePadding() throws {
    let preprocessor = try PicturePreprocessor(
      PictureTensor(size: PixelSize(width: 4, height: 3)), padding: 9)
    let result = try elements(
      UInt8.self, preprocessor, SyntheticPicture.rgb(size),
      region: BoundingBox(x: 100, y: 100, width: 7, height: 9))
    #expect(result == Array(repeating: 9, count: 36))
  }

  @Test func letterboxesArePadded() throws {
    let image = try SyntheticPicture.rgb(PixelSize(width: 8, height: 4))
    let preprocessor = try PicturePreprocessor(
      PictureTensor(size: PixelSize(width: 4, height: 5)), resampler: .pillowBox,
      fit: .letterbox(.center), padding: 114)
    let middle = try image.resized(to: PixelSize(width: 4, height: 2), using: .pillowBox).bytes
    let padding = Array(repeating: UInt8(114), count: 12)
    #expect(try elements(UInt8.self, preprocessor, image) == padding + middle + padding + padding)
  }

  /// Elements equal those worked out by hand for the bytes 0, 64, 128, 255, 1 and 127.
  @Test func typesAndOrders() throws {
    let image = try Image(
      .rgb8, size: PixelSize(width: 2, height: 1), bytes: [0, 64, 128, 255, 1, 127])
    func filled<Element: BitwiseCopyable>(
      _ element: PictureTensor.Element, _ type: Element.Type,
      _ channels: PictureTensor.Channels = .rgb, _ layout: PictureTensor.Layout = .nhwc,
      _ normalization: PictureTensor.Normalization = .none
    ) throws -> [Element] {
      let tensor = PictureTensor(
        size: image.size, element: element, channels: channels, layout: layout,
        normalization: normalization)
      return try elements(type, PicturePreprocessor(tensor), image)
    }
    #expect(try filled(.uint8(), UInt8.self) == [0, 64, 128, 255, 1, 127])
    #expect(try filled(.int8(), Int8.self) == [-128, -64, 0, 127, -127, -1])
    #expect(try filled(.uint8(), UInt8.self, .bgr) == [128, 64, 0, 127, 1, 255])
    #expect(try filled(.uint8(), UInt8.self, .rgb, .nchw) == [0, 255, 64, 1, 128, 127])
    #expect(try filled(.int8(), Int8.self, .bgr, .nchw) == [0, -1, -64, -127, -128, 127])
    #expect(try filled(.int16(), Int16.self) == [0, 64, 128, 255, 1, 127])
    // Pillow's L is (64 · 38470 + 128 · 7471 + 2¹⁵) >> 16 = 52 for the first pixel, and 91 for the
    // second.
    #expect(try filled(.uint8(), UInt8.self, .gray) == [52, 91])
    let centered: [Float] = [-127.5, -63.5, 0.5, 127.5, -126.5, -0.5]
    #expect(
      try filled(.float32, Float.self, .rgb, .nhwc, .signedUnit) == centered.map { $0 / 127.5 })
    let perChannel = PictureTensor.Normalization(mean: [1, 2, 3], deviation: [2, 4, 5])
    #expect(
      try filled(.float32, Float.self, .bgr, .nhwc, perChannel)
        == [63.5, 15.5, -0.6, 63, -0.25, 50.4])
    // Steps of 1/2 from -1 on: 127.5/127.5 is step 2; halves are rounded away from zero.
    #expect(
      try filled(.int8(scale: 0.5, zeroPoint: -5), Int8.self, .rgb, .nhwc, .signedUnit)
        == [-7, -6, -5, -3, -7, -5])
  }

  /// Rows of floats equal the formula of the normalization.
  @Test(arguments: PictureTensor.Channels.allCases, PictureTensor.Layout.allCases)
  func floats(channels: PictureTensor.Channels, layout: PictureTensor.Layout) throws {
    let image = try SyntheticPicture.rgb(size)
    let mean: [Float] = [103.5, 116.25, 123.7], deviation: [Float] = [57.1, 58.4, 255]
    let count = channels.count
    let tensor = PictureTensor(
      size: size, element: .float32, channels: channels, layout: layout,
      normalization: PictureTensor.Normalization(
        mean: Array(mean.prefix(count)), deviation: Array(deviation.prefix(count))))
    let result = try elements(Float.self, PicturePreprocessor(tensor), image)
    let bytes = try image.converted(to: channels == .gray ? .gray8 : .rgb8).bytes
    for pixel in 0..<size.width * size.height {
      for channel in 0..<count {
        let from = channels == .bgr ? 2 - channel : channel
        let value = (Float(bytes[pixel * count + from]) - mean[channel]) / deviation[channel]
        let place =
          layout == .nhwc ? pixel * count + channel : channel * size.width * size.height + pixel
        #expect(result[place] == value)
      }
    }
  }

  @Test func alignedMemoryIsNotNeeded() throws {
    let image = try SyntheticPicture.rgb(size)
    let tensor = PictureTensor(size: PixelSize(width: 5, height: 4), element: .float32)
    let preprocessor = try PicturePreprocessor(tensor)
    let aligned = try elements(UInt32.self, preprocessor, image)
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: tensor.byteCount + 1, alignment: 64)
    defer { bytes.deallocate() }
    try preprocessor.fill(UnsafeMutableRawBufferPointer(rebasing: bytes[1...]), with: image)
    for (index, element) in aligned.enumerated() {
      #expect(
        bytes.loadUnaligned(fromByteOffset: 1 + index * 4, as: UInt32.self) == element)
    }
  }

  @Test func wrongCallsAreRefused() throws {
    let image = try SyntheticPicture.rgb(size)
    let preprocessor = try PicturePreprocessor(PictureTensor(size: size))
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(throws: ImageError.self) {
      try bytes.withUnsafeMutableBytes { try preprocessor.fill($0, with: image) }
    }
    let normalizations = [
      PictureTensor.Normalization(mean: [0], deviation: [0]),
      PictureTensor.Normalization(mean: [0, 1], deviation: [1]),
      PictureTensor.Normalization(mean: [.nan], deviation: [1]),
    ]
    for normalization in normalizations {
      #expect(throws: ImageError.self) {
        try PicturePreprocessor(PictureTensor(size: size, normalization: normalization))
      }
    }
    #expect(throws: ImageError.self) {
      try PicturePreprocessor(PictureTensor(size: PixelSize(width: 0, height: 4)))
    }
    #expect(throws: ImageError.self) {
      try PicturePreprocessor(PictureTensor(size: size, element: .int8(scale: 0)))
    }
  }
}
