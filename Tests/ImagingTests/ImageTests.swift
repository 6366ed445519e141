import OcellusImaging
import Testing

@Suite struct ImageTests {
  @Test func copiesShareUntilWritten() throws {
    let original = try Image(.gray8, size: PixelSize(width: 2, height: 1), bytes: [1, 2])
    var copy = original
    copy.withUnsafeMutableBytes { $0[0] = 9 }
    #expect(original.withUnsafeBytes { Array($0.prefix(2)) } == [1, 2])
    #expect(copy.withUnsafeBytes { Array($0.prefix(2)) } == [9, 2])
  }

  @Test func borrowedMemoryIsNotCopied() throws {
    let frame: [UInt8] = Array(0..<24)
    try frame.withUnsafeBytes { bytes in
      let image = try Image(
        borrowing: bytes, .gray8, size: PixelSize(width: 3, height: 2),
        planes: [(byteOffset: 4, rowStride: 8)])
      image.withUnsafeBytes { seen in
        #expect(seen.baseAddress == bytes.baseAddress)
        #expect(seen[image.planes[0].byteOffset + image.planes[0].rowStride] == 12)
      }
    }
  }

  @Test func planesOfOddSizes() throws {
    let encoding = YCbCrEncoding(matrix: .bt709, range: .video)
    let image = Image(uninitialized: .i420(encoding), size: PixelSize(width: 5, height: 3))
    #expect(image.planes.map(\.byteOffset) == [0, 15, 21])
    #expect(image.planes.map(\.rowBytes) == [5, 3, 3])
    #expect(image.planes.map(\.rows) == [3, 2, 2])
    #expect(image.byteCount == 27)
  }

  @Test func uprightSize() throws {
    let image = Image(
      uninitialized: .gray8, size: PixelSize(width: 5, height: 3), orientation: .right)
    #expect(image.size == PixelSize(width: 3, height: 5))
  }

  @Test func wrongBuffersAreRefused() {
    let bytes = [UInt8](repeating: 0, count: 10)
    #expect(throws: ImageError.self) {
      try Image(.rgb8, size: PixelSize(width: 2, height: 2), bytes: bytes)
    }
    bytes.withUnsafeBytes { buffer in
      #expect(throws: ImageError.self) {
        try Image(borrowing: buffer, .rgb8, size: PixelSize(width: 2, height: 2))
      }
      #expect(throws: ImageError.self) {
        try Image(
          borrowing: buffer, .gray8, size: PixelSize(width: 2, height: 2),
          planes: [(byteOffset: 9, rowStride: 2)])
      }
    }
  }
}
