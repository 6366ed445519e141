import OcellusImaging

/// Pictures by a simple formula: fine lines that become coarse waves towards the left.
enum SyntheticPicture {
  static func value(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: x * x * 7 + y * 13 + channel * 50 + x * y * 3)
  }

  static func bytes(_ size: PixelSize, channels: Int = 3) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels { bytes.append(value(x, y, channel)) }
      }
    }
    return bytes
  }

  static func rgb(_ size: PixelSize) throws -> Image {
    try Image(.rgb8, size: size, bytes: bytes(size))
  }

  /// Returns the 64-bit FNV-1a digest of bytes.
  static func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension Image {
  /// The bytes of a picture whose rows have no padding.
  var bytes: [UInt8] { withUnsafeBytes { Array($0.prefix(byteCount)) } }
}
