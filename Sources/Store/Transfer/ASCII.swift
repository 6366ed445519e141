/// What bytes of texts by strangers are.
///
/// Such texts are looked through byte by byte, each once: a regular expression costs a thousand times as much to
/// set up, and some of them go through a text again and again.
extension UInt8 {
  /// Whether it is a digit of ASCII.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether it is a letter of ASCII.
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

/// Reads a text of bytes from its beginning.
struct ByteScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  /// Whether all is read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Steps over a text if that is next.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    let isNext = text.withUTF8Buffer { rest.prefix(count).elementsEqual($0) }
    if isNext { rest = rest.dropFirst(count) }
    return isNext
  }

  /// The digits that are next; `nil` unless there are as many as wanted.
  mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
    // One more than there may be is enough to see that there are too many.
    let digits = rest.prefix(counts.upperBound + 1).prefix { $0.isDigit }
    guard counts.contains(digits.count), let number = Int(String(Substring(digits))) else {
      return nil
    }
    rest = rest.dropFirst(digits.count)
    return number
  }
}
