import OcellusModelFile
import OcellusPlatform

/// Writes a zip archive of uncompressed files one by one; only the directory stays in memory.
///
/// It writes no Zip64 fields, so larger archives are refused.
final class ZipWriter {
  private let file: OpenFile
  private var directory: [UInt8] = []
  private var entryCount = 0
  private var position = 0

  init(path: String) throws(FileError) {
    file = try OpenFile(writing: path)
  }

  /// Adds a file.
  func add(_ bytes: [UInt8], named name: String) throws {
    let nameBytes = Array(name.utf8)
    let end = position + 30 + nameBytes.count + bytes.count
    guard end + directory.count < Int(UInt32.max) - (1 << 16), entryCount < 0xFFFE else {
      throw AuditError(
        "\(file.path): an .npz file holds 4 GiB and 65,534 tensors; write to a directory instead")
    }
    // Version 2.0, UTF-8 names, no compression, midnight of 1 January 1980.
    var common: [UInt8] = []
    common.append(words: 20, 1 << 11, 0, 0, 0x21)
    let checksum = bytes.withUnsafeBytes { CRC32.checksum($0) }
    common.append(longs: Int(checksum), bytes.count, bytes.count)
    common.append(words: nameBytes.count, 0)

    var header: [UInt8] = []
    header.append(longs: 0x0403_4B50)
    try file.write(header + common + nameBytes)
    try file.write(bytes)

    directory.append(longs: 0x0201_4B50)
    directory.append(words: 20)
    directory += common
    directory.append(words: 0, 0, 0)
    directory.append(longs: 0, position)
    directory += nameBytes
    position = end
    entryCount += 1
  }

  /// Writes the directory, without which the archive is unreadable.
  func close() throws {
    var end = directory
    end.append(longs: 0x0605_4B50)
    end.append(words: 0, 0, entryCount, entryCount)
    end.append(longs: directory.count, position)
    end.append(words: 0)
    try file.write(end)
    try file.close()
  }
}

extension [UInt8] {
  fileprivate mutating func append(words: Int...) {
    for word in words {
      self += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
    }
  }

  fileprivate mutating func append(longs: Int...) {
    for long in longs { append(words: long & 0xFFFF, long >> 16 & 0xFFFF) }
  }
}
