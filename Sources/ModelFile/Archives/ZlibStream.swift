/// Reads bytes that are compressed with zlib (RFC 1950), which HTTP calls `deflate`.
package enum ZlibStream {
  /// Decompresses a stream to at most `limit` bytes.
  package static func contents(
    of bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(ModelFileError) -> [UInt8] {
    let reader = ByteReader(bytes)
    let header = try reader.load(at: 0, as: UInt16.self).byteSwapped
    // The method is DEFLATE with at most 32 KiB of history, and there is no dictionary.
    guard header % 31 == 0, header >> 8 & 0xF == 8, header >> 12 < 8, header & 0x20 == 0 else {
      throw .malformed("no header of zlib", at: 0)
    }
    let (contents, end) = try Inflater.inflate(bytes, from: 2, limit: limit)
    guard try reader.load(at: end, as: UInt32.self).byteSwapped == checksum(contents) else {
      throw .malformed("checksum of the decompressed bytes is wrong", at: end)
    }
    guard end + 4 == bytes.count else {
      throw .malformed("bytes follow the compressed ones", at: end + 4)
    }
    return contents
  }

  /// Returns the checksum Adler-32.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    bytes.withUnsafeBytes { bytes in
      // So many bytes can be added before the sums must be reduced.
      for start in stride(from: 0, to: bytes.count, by: 5552) {
        for byte in bytes[start..<min(start + 5552, bytes.count)] {
          low += UInt32(byte)
          high += low
        }
        low %= 65521
        high %= 65521
      }
    }
    return high << 16 | low
  }
}
