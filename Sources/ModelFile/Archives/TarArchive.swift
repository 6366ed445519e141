/// The files in a tar archive, which may be compressed with gzip, read from memory.
///
/// Names longer than 100 bytes are supported in the POSIX, pax and GNU formats. Entries that are
/// not regular files, such as links, are skipped.
package struct TarArchive: Sendable {
  private let bytes: ModelBytes
  private let ranges: [String: Range<Int>]

  /// Reads an archive.
  package init(path: String) throws(ModelFileError) {
    let file = try ModelBytes(path: path)
    do throws(ModelFileError) {
      try self.init(file)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads an archive from memory.
  ///
  /// An archive that decompresses to more than `limit` bytes is refused: a few kilobytes can become
  /// gigabytes.
  package init(_ file: ModelBytes, limit: Int = 512 << 20) throws(ModelFileError) {
    guard GzipFile.isBegun(by: file.buffer) else {
      bytes = file
      ranges = try Self.ranges(in: ByteReader(file.buffer))
      return
    }
    bytes = ModelBytes(try GzipFile.contents(of: file.buffer, limit: limit))
    do throws(ModelFileError) {
      ranges = try Self.ranges(in: ByteReader(bytes.buffer))
    } catch {
      throw error.inside("in the decompressed archive")
    }
  }

  /// The paths of all files, sorted, without a leading `./`.
  package var names: [String] { ranges.keys.sorted() }

  /// Returns the bytes of a file; `nil` if there is none with this name.
  package func contents(of name: String) -> [UInt8]? {
    ranges[name].map { Array(bytes.buffer[$0]) }
  }

  /// Returns the ranges of the files; as with unpacking, the last of several with one name counts.
  private static func ranges(in reader: ByteReader) throws(ModelFileError) -> [String: Range<Int>] {
    var ranges: [String: Range<Int>] = [:]
    var longName: String?
    var position = 0
    while let header = try TarHeader(reader, at: position) {
      let start = position + TarHeader.blockSize
      let contents = try reader.slice(at: start, count: header.byteCount)
      switch header.kind {
      case UInt8(ascii: "0"), UInt8(ascii: "7"), 0:
        ranges[plain(longName ?? header.name)] = start..<start + header.byteCount
        longName = nil
      case UInt8(ascii: "L"):
        longName = String(decoding: contents.prefix { $0 != 0 }, as: UTF8.self)
      case UInt8(ascii: "x"):
        longName = path(in: contents) ?? longName
      case UInt8(ascii: "g"):
        break
      default:
        longName = nil
      }
      // Contents are padded to whole blocks.
      let blockCount = (header.byteCount + TarHeader.blockSize - 1) / TarHeader.blockSize
      position = start + blockCount * TarHeader.blockSize
    }
    return ranges
  }

  private static func plain(_ name: String) -> String {
    name.hasPrefix("./") ? String(name.dropFirst(2)) : name
  }

  /// Returns the path in a pax list, whose lines are a length, a space, a keyword, `=` and a value.
  private static func path(in list: UnsafeRawBufferPointer) -> String? {
    var rest = list[...]
    while let space = rest.firstIndex(of: UInt8(ascii: " ")),
      let count = Int(String(decoding: rest[..<space], as: UTF8.self)),
      count > space - rest.startIndex, count <= rest.count
    {
      let line = rest[(space + 1)..<(rest.startIndex + count)]
      if line.starts(with: "path=".utf8) {
        return String(decoding: line.dropFirst(5).dropLast(), as: UTF8.self)
      }
      rest = rest[(rest.startIndex + count)...]
    }
    return nil
  }
}
