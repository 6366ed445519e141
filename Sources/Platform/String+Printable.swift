extension String {
  /// The text for people, without what would make a terminal do something: names in a file from a stranger
  /// may hold such orders.
  ///
  /// In place of each control character, of marks that turn the direction of what follows, and of line ends
  /// that only Unicode knows, stands what Swift writes for it, such as `\u{1B}` or `\u{202E}`. Line breaks
  /// stay, and so do tabs.
  package var printable: String { visible { $0 == "\n" || $0 == "\t" } }

  /// The same as one line: line breaks and tabs are made visible too, so that a name cannot look like a line
  /// or a column of its own.
  package var printableInLine: String { visible { _ in false } }

  private func visible(except isKept: (Unicode.Scalar) -> Bool) -> String {
    // Most texts are plain, and come back as they are.
    guard unicodeScalars.contains(where: { $0.ordersTerminals && !isKept($0) }) else { return self }
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.ordersTerminals, !isKept(scalar) {
        text.append(eachOf: scalar.visible.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may take this for an order: to move, to colour, to end a line, or to write on from
  /// right to left.
  package var ordersTerminals: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    // A byte of a file's name that older terminals would take for a control character.
    if let byte = byteOfFileName { return byte < 0xA0 }
    switch value {
    case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F: return true
    default: return false
    }
  }

  /// What is shown in place of a scalar that is not to be obeyed.
  package var visible: String {
    if let byte = byteOfFileName { return "\\x" + String(byte, radix: 16, uppercase: true) }
    return "\\u{" + String(value, radix: 16, uppercase: true) + "}"
  }
}
