import Accelerate
import CoreGraphics
import OcellusImaging

/// Small pictures with known pixels.
enum Pixels {
  /// A sample of a picture of 6 by 5 pixels, in which neighbours differ much.
  static func sample(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    UInt8((37 * x + 91 * y + 53 * channel + 7 * x * y) % 256)
  }

  /// Returns the samples of a picture of 6 by 5 pixels, pixel by pixel.
  static func samples(channels: Int) -> [UInt8] {
    (0..<30).flatMap { place in
      (0..<channels).map { sample(place % 6, place / 6, $0) }
    }
  }

  static func picture(_ orientation: Orientation = .up) throws -> Image {
    try Image(
      .rgb8, size: PixelSize(width: 6, height: 5), orientation: orientation,
      bytes: samples(channels: 3))
  }

  /// Returns the bytes of a picture's pixels, which follow each other without padding.
  static func bytes(_ picture: Image) -> [UInt8] { picture.withUnsafeBytes { Array($0) } }

  /// Returns red, green and blue of the pixels of an upright picture.
  static func colors(_ image: CGImage?) throws -> [UInt8] {
    guard let image else { return [] }
    return bytes(try image.picture.converted(to: .rgb8))
  }
}

/// Rows of pixels for the functions of vImage, with bytes between the rows that nobody may change.
final class PixelRows {
  static let padding = 5

  private(set) var buffer: vImage_Buffer
  private let rowBytes: Int

  init(_ samples: [UInt8] = [], width: Int, height: Int, bytesPerPixel: Int) {
    rowBytes = width * bytesPerPixel
    let stride = rowBytes + Self.padding
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride * height, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: stride * height)
    for (place, sample) in samples.enumerated() {
      let offset = place / rowBytes * stride + place % rowBytes
      memory.storeBytes(of: sample, toByteOffset: offset, as: UInt8.self)
    }
    buffer = vImage_Buffer(
      data: memory, height: vImagePixelCount(height), width: vImagePixelCount(width),
      rowBytes: stride)
  }

  deinit { buffer.data.deallocate() }

  /// The samples without the padding.
  var samples: [UInt8] {
    (0..<Int(buffer.height)).flatMap { y in
      (0..<rowBytes).map {
        buffer.data.load(fromByteOffset: y * buffer.rowBytes + $0, as: UInt8.self)
      }
    }
  }

  /// Whether the padding has its first contents.
  var isPaddingIntact: Bool {
    (0..<Int(buffer.height)).allSatisfy { y in
      (rowBytes..<buffer.rowBytes).allSatisfy {
        buffer.data.load(fromByteOffset: y * buffer.rowBytes + $0, as: UInt8.self) == 0xEE
      }
    }
  }
}
