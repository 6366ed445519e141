extension String {
  /// The text with everything escaped that could control a terminal.
  ///
  /// Names in a file from a stranger may contain control sequences. Control characters,
  /// bidirectional marks and Unicode's own line ends are replaced by Swift's escapes, such as
  /// `\u{1B}` or `\u{202E}`. Line breaks and tabs stay.
  package var printable: String { visible { $0 == "\n" || $0 == "\t" } }

  /// The text with line breaks and tabs escaped as well, so that a name cannot forge a line or
  /// column.
  package var printableInLine: String { visible { _ in false } }

  private func visible(except isKept: (Unicode.Scalar) -> Bool) -> String {
    // Most texts need no escapes, and are returned unchanged.
    guard unicodeScalars.contains(where: { $0.controlsTerminals && !isKept($0) }) else {
      return self
    }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.controlsTerminals, !isKept(scalar) {
        text.append(eachOf: scalar.visible.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may act on this scalar: move, colour, end a line, or write right to left.
  package var controlsTerminals: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    // A byte of a file name that older terminals would take for a control character.
    if let byte = byteOfFileName { return byte < 0xA0 }
    switch value {
    case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F: return true
    default: return false
    }
  }

  /// The escape that replaces this scalar.
  package var visible: String {
    if let byte = byteOfFileName { return "\\x" + String(byte, radix: 16, uppercase: true) }
    return "\\u{" + String(value, radix: 16, uppercase: true) + "}"
  }
}
