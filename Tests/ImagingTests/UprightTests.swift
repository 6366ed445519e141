import OcellusImaging
import Testing

@Suite struct UprightTests {
  /// The pixels 1 2 3 over 4 5 6 in the eight EXIF orientations, by hand.
  static let turned: [[UInt8]] = [
    [1, 2, 3, 4, 5, 6], [3, 2, 1, 6, 5, 4], [6, 5, 4, 3, 2, 1], [4, 5, 6, 1, 2, 3],
    [1, 4, 2, 5, 3, 6], [4, 1, 5, 2, 6, 3], [6, 3, 5, 2, 4, 1], [3, 6, 2, 5, 1, 4],
  ]

  @Test(arguments: Orientation.allCases, [1, 2, 3, 4])
  func pixelsAreTurned(orientation: Orientation, pixelBytes: Int) throws {
    let formats: [PixelFormat] = [.gray8, .gray16, .rgb8, .bgra8]
    /// The bytes of a pixel increase in steps of ten.
    func bytes(_ pixels: [UInt8]) -> [UInt8] {
      pixels.flatMap { pixel in (0..<pixelBytes).map { pixel + UInt8($0) * 10 } }
    }
    let image = try Image(
      formats[pixelBytes - 1], size: PixelSize(width: 3, height: 2),
      orientation: orientation, bytes: bytes([1, 2, 3, 4, 5, 6]))
    let upright = image.upright()
    #expect(upright.orientation == .up)
    #expect(upright.storedSize == image.size)
    #expect(upright.withUnsafeBytes { Array($0) } == bytes(Self.turned[orientation.rawValue - 1]))
  }

  @Test func everyPlaneIsTurned() throws {
    let pixels: [Float] = [1, 2, 3, 4, 5, 6]
    let image = try Image(
      .planarFloat(channels: 3), size: PixelSize(width: 2, height: 1), orientation: .down,
      bytes: pixels.withUnsafeBytes { Array($0) })
    let turned = image.upright().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(turned == [2, 1, 4, 3, 6, 5])
  }

  @Test func largePicturesAreTurnedWhole() throws {
    let size = PixelSize(width: 70, height: 41)
    let image = try Image(
      .gray16, size: size, orientation: .rightTop,
      bytes: (0..<UInt16(70 * 41)).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    let turned = image.upright().withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    // Rotated by a quarter clockwise: the first row is the first column from below.
    for row in 0..<70 {
      for column in 0..<41 {
        #expect(turned[row * 41 + column] == UInt16((40 - column) * 70 + row))
      }
    }
  }

  @Test func rowsWithPaddingAreTurned() throws {
    let frame: [UInt8] = [0, 1, 2, 9, 9, 3, 4]
    try frame.withUnsafeBytes { bytes in
      let image = try Image(
        borrowing: bytes, .gray8, size: PixelSize(width: 2, height: 2),
        planes: [(byteOffset: 1, rowStride: 4)], orientation: .leftBottom)
      #expect(image.upright().withUnsafeBytes { Array($0) } == [2, 4, 1, 3])
    }
  }
}
