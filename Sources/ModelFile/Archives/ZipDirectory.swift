/// The central directory of a zip archive: the list of its files.
struct ZipDirectory {
  let offset: Int
  private let entryCount: Int
  /// The number of bytes before the archive, which the archive's own offsets may leave out.
  private let archiveOffset: Int

  /// Finds the directory; `nil` if the bytes do not end with an archive.
  init?(atEndOf reader: ByteReader) throws(ModelFileError) {
    guard let end = try Self.endRecord(reader) else { return nil }
    entryCount = Int(try reader.load(at: end + 10, as: UInt16.self))
    let byteCount = Int(try reader.load(at: end + 12, as: UInt32.self))
    let distance = Int(try reader.load(at: end + 16, as: UInt32.self))
    guard entryCount != 0xFFFF, distance != 0xFFFF_FFFF else {
      throw .unsupported("zip archive in the 64-bit format", at: end)
    }
    guard byteCount + distance <= end else {
      throw .malformed("zip directory of \(byteCount) bytes at \(distance)", at: end)
    }
    offset = end - byteCount
    archiveOffset = end - byteCount - distance
  }

  func entries(_ reader: ByteReader) throws(ModelFileError) -> [ZipEntry] {
    var entries: [ZipEntry] = []
    var position = offset
    for _ in 0..<entryCount {
      let entry = try ZipEntry(reader, at: position, archiveOffset: archiveOffset)
      position += entry.directoryCount
      entries.append(entry)
    }
    return entries
  }

  /// Finds the record that ends an archive, by the length of the comment that follows it.
  private static func endRecord(_ reader: ByteReader) throws(ModelFileError) -> Int? {
    let recordCount = 22
    let last = reader.count - recordCount
    guard last >= 0 else { return nil }
    for position in (max(0, last - Int(UInt16.max))...last).reversed()
    where try reader.load(at: position, as: UInt32.self) == 0x0605_4B50 {
      let commentCount = Int(try reader.load(at: position + 20, as: UInt16.self))
      if position + recordCount + commentCount == reader.count { return position }
    }
    return nil
  }
}
