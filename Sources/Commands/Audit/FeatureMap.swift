import OcellusAudit
import OcellusEngine
import OcellusImaging

/// A tensor as a grey picture of some channels, from black (minimum) to white (maximum).
struct FeatureMap {
  private static let channelCount = 4
  private static let side = 28
  private static let gap = 2

  /// Returns the picture as a PNG file, or `nil` if the rank is not 4 or there are no numbers.
  static func png(
    of tensor: TensorTrace, _ bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let extents = tensor.shape.dimensions
    guard extents.count == 4, extents[0] >= 1, extents[1] > 1, extents[2] > 1, extents[3] >= 1,
      let format = NumberFormat(rawValue: tensor.type.name)
    else { return nil }
    let (rows, columns, channels) = (extents[1], extents[2], extents[3])
    let shown = min(channels, channelCount)
    // At most one pixel for each element: small maps are not enlarged.
    let (height, width) = (min(rows, side), min(columns, side))
    let size = PixelSize(width: shown * (width + gap) - gap, height: height)
    var numbers: [Double?] = []
    for y in 0..<height {
      for x in 0..<size.width {
        let (channel, column) = (x / (width + gap), x % (width + gap))
        guard column < width else {
          numbers.append(nil)
          continue
        }
        let element =
          ((y * rows / height) * columns + column * columns / width) * channels
          + channel * channels / shown
        numbers.append(format.number(in: bytes, at: element * format.size))
      }
    }
    return try? Image(.gray8, size: size, bytes: shades(of: numbers))
      .encoded(as: .png(compressionLevel: 9))
  }

  private static func shades(of numbers: [Double?]) -> [UInt8] {
    let finite = numbers.compactMap { $0 }.filter(\.isFinite)
    let low = finite.min() ?? 0
    let width = (finite.max() ?? 0) - low
    return numbers.map { number in
      guard let number, number.isFinite, width > 0, width.isFinite else { return 0 }
      return UInt8(255 * (number - low) / width)
    }
  }
}
