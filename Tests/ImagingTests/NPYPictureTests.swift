import OcellusArrays
import OcellusImaging
import Testing

@Suite struct NPYPictureTests {
  private func array(_ element: NPYElement, _ shape: [Int], _ bytes: [UInt8]) -> [UInt8] {
    NPYArray(element: element, shape: shape, bytes: bytes).file
  }

  @Test func bytesOfEveryNumberOfChannels() throws {
    let bytes = [UInt8](1...12)
    for (shape, format) in [
      ([3, 4], .gray8), ([3, 4, 1], .gray8), ([2, 2, 3], .rgb8), ([3, 1, 4], .rgba8),
    ] as [([Int], PixelFormat)] {
      let decoded = try DecodedImage(decoding: array(.uint8, shape, bytes))
      #expect(decoded.format == .npy)
      #expect(decoded.image.format == format)
      #expect(decoded.image.storedSize == PixelSize(width: shape[1], height: shape[0]))
      #expect(decoded.image.rowBytes == bytes)
    }
  }

  @Test func floatsComeInPlanes() throws {
    let values: [Float] = [1, 2, 3, 4, 5, 6]
    let file = array(.float32, [1, 2, 3], values.withUnsafeBytes { Array($0) })
    let image = try Image(decoding: file)
    #expect(image.format == .planarFloat(channels: 3))
    let planes: [Float] = [1, 4, 2, 5, 3, 6]
    #expect(image.rowBytes == planes.withUnsafeBytes { Array($0) })
    #expect(try image.encoded(as: .npy) == file)
  }

  @Test(arguments: [.gray8, .gray16, .rgb8, .rgba8, .planarFloat(channels: 1)] as [PixelFormat])
  func picturesComeBack(format: PixelFormat) throws {
    let image = Image.ramp(format, width: 3, height: 2)
    let decoded = try Image(decoding: try image.encoded(as: .npy))
    #expect(decoded.format == format)
    #expect(decoded.rowBytes == image.rowBytes)
  }

  @Test func otherArraysAreNamed() throws {
    for file in [
      array(.float64, [1, 1], [UInt8](repeating: 0, count: 8)), array(.uint8, [1], [0]),
      array(.uint8, [1, 1, 2], [0, 0]), array(.uint8, [1, 1, 1, 1], [0]),
      array(.uint16, [1, 1, 3], [UInt8](repeating: 0, count: 6)),
    ] {
      let error = try #require(throws: ImageError.self) { try Image(decoding: file) }
      #expect(error.kind == .unsupported)
    }
    #expect(throws: ImageError.self) { try Image(decoding: array(.uint8, [0, 5], [])) }
    #expect(throws: ImageError.self) { try Image(decoding: Array("\u{93}NUMPY".utf8)) }
  }
}
