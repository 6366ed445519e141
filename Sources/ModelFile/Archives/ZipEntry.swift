/// An entry for one file in the central directory of a zip archive.
package struct ZipEntry: Sendable, Hashable {
  /// The name as in the archive; it must be checked before use as a path.
  package let name: String
  package let byteCount: Int
  let compressedCount: Int
  let method: Int
  let checksum: UInt32
  let isEncrypted: Bool
  /// The offset of the file's local header.
  let headerOffset: Int
  /// The size of the entry in the directory.
  let directoryCount: Int

  /// Reads the entry at `position` of an archive that begins at `archiveOffset`.
  init(
    _ reader: ByteReader, at position: Int, archiveOffset: Int
  ) throws(ModelFileError) {
    func short(_ offset: Int) throws(ModelFileError) -> Int {
      Int(try reader.load(at: position + offset, as: UInt16.self))
    }
    func long(_ offset: Int) throws(ModelFileError) -> Int {
      Int(try reader.load(at: position + offset, as: UInt32.self))
    }
    guard try long(0) == 0x0201_4B50 else {
      throw .malformed("no entry of the zip directory", at: position)
    }
    isEncrypted = try short(8) & 1 != 0
    method = try short(10)
    checksum = UInt32(try long(16))
    compressedCount = try long(20)
    byteCount = try long(24)
    headerOffset = archiveOffset + (try long(42))
    let nameCount = try short(28)
    let nameBytes = try reader.slice(at: position + 46, count: nameCount)
    name = String(decoding: nameBytes, as: UTF8.self)
    directoryCount = 46 + nameCount + (try short(30)) + (try short(32))
  }
}
