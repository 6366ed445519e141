/// The header of one file in a tar archive: the block before its contents.
struct TarHeader {
  static let blockSize = 512

  let kind: UInt8
  let byteCount: Int
  /// The name, unless an earlier block has a longer one.
  let name: String

  /// Reads the block at `position`; `nil` if it is the empty one that ends an archive.
  init?(_ reader: ByteReader, at position: Int) throws(ModelFileError) {
    let block = try reader.slice(at: position, count: Self.blockSize)
    if block.allSatisfy({ $0 == 0 }) { return nil }
    // The sum of all bytes, in which those of the sum itself count as spaces.
    let sum =
      block.reduce(0) { $0 + Int($1) }
      - block[148..<156].reduce(0) { $0 + Int($1) } + 8 * Int(UInt8(ascii: " "))
    guard Self.octal(block[148..<156]) == sum, let byteCount = Self.octal(block[124..<136]) else {
      throw .malformed("no header of a file in a tar archive", at: position)
    }
    self.byteCount = byteCount
    kind = block[156]
    let isPOSIX = block[257..<263].elementsEqual("ustar\0".utf8)
    let folder = isPOSIX ? Self.text(block[345..<500]) : ""
    let file = Self.text(block[0..<100])
    name = folder.isEmpty ? file : "\(folder)/\(file)"
  }

  /// Reads an octal number; `nil` for other texts, and for 8 GiB and more, whose format differs.
  private static func octal(_ field: Slice<UnsafeRawBufferPointer>) -> Int? {
    let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix {
      $0 != 0 && $0 != UInt8(ascii: " ")
    }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
  }

  private static func text(_ field: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
