// Changes of PNG files.
extension [UInt8] {
  /// Returns the PNG file with another chunk after the header.
  func inserting(chunk name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    let chunk = [Self(bigEndian: UInt32(data.count)), body, Self(bigEndian: body[...].checksum)]
    var file = self
    file.insert(contentsOf: chunk.joined(), at: 33)
    return file
  }

  /// The PNG file with correct checksums in all chunks that can be recognized.
  var withRightChecksums: [UInt8] {
    var file = self
    var position = 8
    while position + 12 <= count {
      let length = self[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = position + 8 + length
      guard end + 4 <= count else { break }
      file.replaceSubrange(
        end..<end + 4, with: Self(bigEndian: file[position + 4..<end].checksum))
      position = end + 4
    }
    return file
  }

  private init(bigEndian number: UInt32) {
    self = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension ArraySlice<UInt8> {
  /// The CRC-32 of the bytes, as PNG defines it.
  fileprivate var checksum: UInt32 {
    var sum = ~UInt32(0)
    for byte in self {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
