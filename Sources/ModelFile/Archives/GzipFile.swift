/// Reads files that are compressed with gzip (RFC 1952).
package enum GzipFile {
  /// Returns whether the bytes begin as a gzip file does.
  package static func isBegun(by bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
  }

  /// Decompresses a file to at most `limit` bytes.
  package static func contents(
    of bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(ModelFileError) -> [UInt8] {
    let reader = ByteReader(bytes)
    var contents: [UInt8] = []
    var position = 0
    // A file has one or more members, whose contents are concatenated.
    repeat {
      let start = try endOfHeader(at: position, reader)
      let member = try Inflater.inflate(bytes, from: start, limit: limit - contents.count)
      guard
        try reader.load(at: member.end, as: UInt32.self)
          == member.contents.withUnsafeBytes({ CRC32.checksum($0) }),
        try reader.load(at: member.end + 4, as: UInt32.self)
          == UInt32(truncatingIfNeeded: member.contents.count)
      else {
        throw .malformed("checksum or length of the decompressed bytes is wrong", at: member.end)
      }
      if contents.isEmpty { contents = member.contents } else { contents += member.contents }
      position = member.end + 8
    } while position < reader.count
    return contents
  }

  private static func endOfHeader(
    at start: Int, _ reader: ByteReader
  ) throws(ModelFileError) -> Int {
    guard try reader.load(at: start, as: UInt16.self) == 0x8B1F else {
      throw .malformed("no header of gzip", at: start)
    }
    let method = try reader.load(at: start + 2, as: UInt8.self)
    let flags = try reader.load(at: start + 3, as: UInt8.self)
    guard method == 8, flags < 32 else {
      throw .unsupported("gzip with method \(method) and flags \(flags)", at: start + 2)
    }
    var position = start + 10
    if flags & 4 != 0 {
      position += 2 + Int(try reader.load(at: position, as: UInt16.self))
    }
    // Skip the name of the file and a comment.
    for flag in [8, 16] as [UInt8] where flags & flag != 0 {
      while try reader.load(at: position, as: UInt8.self) != 0 { position += 1 }
      position += 1
    }
    if flags & 2 != 0 { position += 2 }
    guard position < reader.count else {
      throw .malformed("the header of gzip does not end", at: start)
    }
    return position
  }
}
