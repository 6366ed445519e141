import OcellusPlatform

extension JSONValue {
  /// The value on one line; numbers that JSON cannot express (NaN, infinities) are null.
  package var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// The JSON text for a terminal.
  ///
  /// Characters in strings that could control the terminal are written as JSON escapes, which have
  /// the same meaning.
  package var printableText: String {
    let text = text
    guard text.unicodeScalars.contains(where: \.controlsTerminals) else { return text }
    var printable = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.controlsTerminals, let unit = UTF16.encode(scalar)?.first {
        let digits = String(unit, radix: 16)
        printable.append(
          eachOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            .unicodeScalars)
      } else {
        printable.append(scalar)
      }
    }
    return String(printable)
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let truth): text += truth ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): text += number.isFinite ? String(number) : "null"
    case .string(let string): Self.append(quoted: string, to: &text)
    case .array(let elements):
      text += "["
      for (position, element) in elements.enumerated() {
        if position > 0 { text += ", " }
        element.append(to: &text)
      }
      text += "]"
    case .object(let object):
      text += "{"
      for (position, member) in object.members.enumerated() {
        if position > 0 { text += ", " }
        Self.append(quoted: member.name, to: &text)
        text += ": "
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  private static func append(quoted string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{00}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        // A byte of a file name that is not UTF-8: half of a surrogate pair, as in Python.
        if let byte = scalar.byteOfFileName {
          text += "\\udc" + String(byte, radix: 16)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
