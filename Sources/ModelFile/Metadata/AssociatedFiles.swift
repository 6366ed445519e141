import Synchronization

/// The files packed with a model, in a zip archive appended to it.
package struct AssociatedFiles: Sendable {
  /// The most bytes that all files together may be unpacked to.
  ///
  /// A few kilobytes of archive can claim to be gigabytes.
  package static let maximumByteCount = 16 << 20

  /// The entries in the archive's order.
  package let entries: [ZipEntry]
  private let entriesByName: [String: ZipEntry]
  private let model: ModelBytes
  private let directoryOffset: Int
  /// The bytes that may still be unpacked: entries may share their data, so it does not bound them.
  private let allowance: Allowance
  private let largestEntry: Int

  /// Finds the archive at the end of a model; without one there are no entries.
  ///
  /// Files larger than `largestEntry` are refused, and any that would exceed `limit` bytes in all.
  package init(
    in model: ModelBytes, largestEntry: Int = maximumByteCount, limit: Int = maximumByteCount
  ) throws(ModelFileError) {
    self.model = model
    self.largestEntry = largestEntry
    allowance = Allowance(byteCount: limit)
    do throws(ModelFileError) {
      let reader = ByteReader(model.buffer)
      guard let directory = try ZipDirectory(atEndOf: reader) else {
        (entries, entriesByName, directoryOffset) = ([], [:], 0)
        return
      }
      entries = try directory.entries(reader)
      // An archive that was updated may hold older files of the same name before the last.
      entriesByName = Dictionary(entries.map { ($0.name, $0) }) { _, last in last }
      directoryOffset = directory.offset
    } catch {
      throw error.inFile(model.path)
    }
  }

  /// Returns the contents of a file; `nil` if there is none with this name.
  package func contents(of name: String) throws(ModelFileError) -> [UInt8]? {
    guard let entry = entriesByName[name] else { return nil }
    return try contents(of: entry)
  }

  package func contents(of entry: ZipEntry) throws(ModelFileError) -> [UInt8] {
    do throws(ModelFileError) {
      return try read(entry)
    } catch {
      throw error.inside("associated file \(entry.name)").inFile(model.path)
    }
  }

  private func read(_ entry: ZipEntry) throws(ModelFileError) -> [UInt8] {
    guard !entry.isEncrypted else { throw .unsupported("encrypted", at: entry.headerOffset) }
    guard entry.byteCount <= largestEntry else {
      throw .tooLarge("\(entry.byteCount) bytes", at: entry.headerOffset)
    }
    guard allowance.take(entry.byteCount) else {
      throw .tooLarge("\(entry.byteCount) bytes, too much with the others", at: entry.headerOffset)
    }
    let data = try compressedData(of: entry)
    let contents: [UInt8]
    switch entry.method {
    case 0: contents = Array(data.bytes[data.start...])
    case 8:
      contents = try Inflater.inflate(data.bytes, from: data.start, limit: entry.byteCount).contents
    default: throw .unsupported("compression method \(entry.method)", at: entry.headerOffset)
    }
    guard contents.count == entry.byteCount, CRC32.checksum(contents) == entry.checksum else {
      throw .malformed("length or checksum is wrong", at: entry.headerOffset)
    }
    return contents
  }

  /// Returns the model's bytes up to the end of an entry, and the start of the entry in them.
  private func compressedData(
    of entry: ZipEntry
  ) throws(ModelFileError) -> (bytes: UnsafeRawBufferPointer, start: Int) {
    // An entry that claims to lie in the directory or after it would overlap what was already read.
    let reader = ByteReader(
      UnsafeRawBufferPointer(rebasing: model.buffer.prefix(directoryOffset)))
    let header = entry.headerOffset
    guard try reader.load(at: header, as: UInt32.self) == 0x0403_4B50 else {
      throw .malformed("no file header", at: header)
    }
    let nameCount = Int(try reader.load(at: header + 26, as: UInt16.self))
    let extraCount = Int(try reader.load(at: header + 28, as: UInt16.self))
    let start = header + 30 + nameCount + extraCount
    _ = try reader.slice(at: start, count: entry.compressedCount)
    return (try reader.slice(at: 0, count: start + entry.compressedCount), start)
  }
}

/// A number of bytes, from which callers take some until none are left.
private final class Allowance: Sendable {
  private let left: Atomic<Int>

  init(byteCount: Int) { left = Atomic(byteCount) }

  /// Takes bytes, and returns whether there were enough left; otherwise it takes none.
  func take(_ byteCount: Int) -> Bool {
    var known = left.load(ordering: .relaxed)
    while known >= byteCount {
      let (isTaken, now) = left.compareExchange(
        expected: known, desired: known - byteCount, ordering: .relaxed)
      if isTaken { return true }
      known = now
    }
    return false
  }
}
