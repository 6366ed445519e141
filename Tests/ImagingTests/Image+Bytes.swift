import OcellusImaging

extension Image {
  /// The bytes of all planes' rows, without padding.
  var rowBytes: [UInt8] {
    withUnsafeBytes { bytes in
      planes.flatMap { plane in
        (0..<plane.rows).flatMap { row in
          let start = plane.byteOffset + row * plane.rowStride
          return Array(bytes[start..<start + plane.rowBytes])
        }
      }
    }
  }

  /// FNV-1a of the format, the size and the rows.
  var digest: UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array("\(format) \(storedSize)".utf8) + rowBytes {
      digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return digest
  }

  /// Returns a picture of increasing bytes.
  static func ramp(_ format: PixelFormat, width: Int, height: Int) -> Image {
    var image = Image(uninitialized: format, size: PixelSize(width: width, height: height))
    image.withUnsafeMutableBytes { bytes in
      for index in bytes.indices {
        bytes[index] = UInt8(truncatingIfNeeded: index &* 7 &+ index / 11)
      }
    }
    return image
  }
}

/// Returns the bytes that hexadecimal digits describe.
func bytes(hex text: String) -> [UInt8] {
  let digits = Array(text.utf8.filter { $0 > 0x20 })
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
  }
}
