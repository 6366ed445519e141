import OcellusPlatform

/// A search for the end of a JPEG file in a growing buffer.
///
/// Each call continues where the last one stopped, so that every byte is examined once.
struct JPEGBoundary {
  /// The offset of the next byte to examine; it may lie beyond the buffer, within a pending
  /// segment.
  private var position = 2

  /// Returns the end of the file that begins with these bytes; `nil` if more bytes are needed.
  ///
  /// A file ends after its end marker, or, if it was cut off, where the next file begins. Segments
  /// are skipped by their lengths, because embedded thumbnails have start and end markers of their
  /// own.
  mutating func end(of bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { end(of: $0) }.map { bytes.startIndex + $0 }
  }

  private mutating func end(of bytes: UnsafeRawBufferPointer) -> Int? {
    while position + 1 < bytes.count {
      guard bytes[position] == 0xFF else {
        // Entropy-coded data, up to the next marker.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
        position = rest.firstByte(0xFF).map { position + $0 } ?? bytes.count
        continue
      }
      switch bytes[position + 1] {
      case 0xD9: return position + 2
      case 0xD8: return position
      case 0xFF: position += 1
      // A stuffed zero in entropy-coded data, a restart marker, or another marker without a length.
      case 0x00, 0x01, 0xD0...0xD7: position += 2
      default:
        guard position + 3 < bytes.count else { return nil }
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        position += 2 + max(length, 2)
      }
    }
    return nil
  }

  /// Returns the number of bytes before the first possible start of a file.
  ///
  /// A start marker directly followed by another one is skipped in favour of the second.
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
  /// Returns the offset of the first byte with this value.
  fileprivate func firstByte(_ value: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(value), count) else {
      return nil
    }
    return UnsafeRawPointer(found) - start
  }
}
