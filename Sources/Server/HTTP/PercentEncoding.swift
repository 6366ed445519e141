/// The encoding of bytes in paths, queries and forms: `%2F` for a slash.
enum PercentEncoding {
  /// Decodes a text; what is no escape stays as it is, and what is not UTF-8 is replaced.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "%"), position + 1 < bytes.count,
        let high = digit(bytes[position]), let low = digit(bytes[position + 1])
      {
        decoded.append(high << 4 | low)
        position += 2
      } else {
        decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes the items of a form or a query, such as `a=1&b=x+y`.
  static func items(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        decoded(parts[0], plusIsSpace: true),
        parts.count > 1 ? decoded(parts[1], plusIsSpace: true) : ""
      )
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
