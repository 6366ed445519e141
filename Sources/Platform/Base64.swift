/// The Base64 encoding (RFC 4648, section 4), in which JSON carries bytes.
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte that is in the alphabet, 64 for the others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// Encodes bytes, with `=` as padding at the end.
  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let taken = min(3, bytes.count - start)
      var bits = 0
      for byte in 0..<3 { bits = bits << 8 | (byte < taken ? Int(bytes[start + byte]) : 0) }
      for letter in 0..<4 {
        text.append(
          letter <= taken ? letters[bits >> (18 - 6 * letter) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text; `nil` if it is not Base64.
  ///
  /// Line breaks are skipped, and padding at the end may be missing.
  package static func bytes(of text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { bytes(of: $0) }
  }

  /// Decodes a text in memory; `nil` if it is not Base64.
  package static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, count) = (0, 0)
    let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    for letter in text[..<end] {
      if letter == UInt8(ascii: "\n") || letter == UInt8(ascii: "\r") { continue }
      let value = values[Int(letter)]
      guard value < 64 else { return nil }
      bits = (bits << 6 | Int(value)) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    let endsWell = text[end...].allSatisfy { "=\r\n".utf8.contains($0) }
    // A single letter is less than a byte.
    return endsWell && count < 6 ? bytes : nil
  }
}
