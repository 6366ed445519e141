import OcellusPlatform

/// Looks for the end of a JPEG file of which more and more is there.
///
/// It goes on where it stopped, so that every byte is looked at once.
struct JPEGBoundary {
  /// How far the file was looked through; perhaps in the middle of a segment that is not all here yet.
  private var position = 2

  /// Where the file ends that begins with these bytes; `nil`: its end is not here yet.
  ///
  /// It ends behind the mark of its end, or where another file begins, because it was cut off. Segments are
  /// stepped over by their lengths: pictures in them (thumbnails) have beginnings and ends of their own.
  mutating func end(of bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { end(of: $0) }.map { bytes.startIndex + $0 }
  }

  private mutating func end(of bytes: UnsafeRawBufferPointer) -> Int? {
    while position + 1 < bytes.count {
      guard bytes[position] == 0xFF else {
        // Compressed pixels, up to the next marker.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
        position = rest.firstByte(0xFF).map { position + $0 } ?? bytes.count
        continue
      }
      switch bytes[position + 1] {
      case 0xD9: return position + 2
      case 0xD8: return position
      case 0xFF: position += 1
      // A stuffed zero among pixels, a restart, and what has no length.
      case 0x00, 0x01, 0xD0...0xD7: position += 2
      default:
        guard position + 3 < bytes.count else { return nil }
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        position += 2 + max(length, 2)
      }
    }
    return nil
  }

  /// How many bytes there are in front of the first that may begin a file.
  ///
  /// A beginning that another follows at once is none: the second one counts.
  static func byteCount(beforeBeginningIn bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      var position = 0
      while let next = UnsafeRawBufferPointer(rebasing: bytes[position...]).firstByte(0xFF) {
        position += next
        guard position + 1 < bytes.count else { return position }
        let isBeginning = bytes[position + 1] == 0xD8
        let isDoubled =
          position + 3 < bytes.count && bytes[position + 2] == 0xFF && bytes[position + 3] == 0xD8
        if isBeginning, !isDoubled { return position }
        position += isBeginning ? 2 : 1
      }
      return bytes.count
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Where the first byte of this value is.
  fileprivate func firstByte(_ value: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(value), count) else {
      return nil
    }
    return UnsafeRawPointer(found) - start
  }
}
