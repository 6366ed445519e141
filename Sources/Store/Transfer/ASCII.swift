/// Classification of ASCII bytes in untrusted texts.
///
/// Such texts are scanned byte by byte, each once. A regular expression costs a thousand times as
/// much to set up, and may backtrack.
extension UInt8 {
  /// Whether the byte is an ASCII digit.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is an ASCII letter.
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

/// A scanner for untrusted ASCII texts.
struct ByteScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  /// Whether the whole text is consumed.
  var isAtEnd: Bool { rest.isEmpty }

  /// Consumes `text` if it comes next; returns whether it did.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    let isNext = text.withUTF8Buffer { rest.prefix(count).elementsEqual($0) }
    if isNext { rest = rest.dropFirst(count) }
    return isNext
  }

  /// Consumes a run of digits; `nil` unless their number is in `counts`.
  mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    // One digit more than the maximum shows that there are too many.
    let digits = rest.prefix(counts.upperBound + 1).prefix { $0.isDigit }
    guard counts.contains(digits.count), let number = Int(String(Substring(digits))) else {
      return nil
    }
    rest = rest.dropFirst(digits.count)
    return number
  }
}
