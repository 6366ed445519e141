package import OcellusJSON

/// Parses a dictionary, list or scalar as Python prints it.
///
/// The syntax is close to JSON's, but has quotes of either kind, keys of any type, tuples, and the
/// words True, False and None.
package struct PythonLiteral {
  private var rest: Substring.UnicodeScalarView
  /// The limit on nesting, for untrusted files.
  private static let maximumDepth = 32

  /// Parses the text; `nil` when it is not a Python literal.
  package static func parse(_ text: String) -> JSONValue? {
    var reader = Self(rest: text[...].unicodeScalars)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.rest.isEmpty ? value : nil
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    guard depth < Self.maximumDepth, let first = rest.first else { return nil }
    switch first {
    case "{": return dictionary(depth: depth)
    case "[": return list(upTo: "]", depth: depth)
    case "(": return list(upTo: ")", depth: depth)
    case "'", "\"": return text().map { .string($0) }
    default: return word()
    }
  }

  private mutating func dictionary(depth: Int) -> JSONValue? {
    rest.removeFirst()
    var members: [JSONObject.Member] = []
    while !take("}") {
      guard let key = value(depth: depth + 1), take(":"), let value = value(depth: depth + 1) else {
        return nil
      }
      members.append(.init(name: key.string ?? key.integer.map(String.init) ?? "", value: value))
      guard take(",") || rest.first == "}" else { return nil }
    }
    return .object(JSONObject(members))
  }

  private mutating func list(upTo end: Unicode.Scalar, depth: Int) -> JSONValue? {
    rest.removeFirst()
    var elements: [JSONValue] = []
    while !take(end) {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
      guard take(",") || rest.first == end else { return nil }
    }
    return .array(elements)
  }

  private mutating func text() -> String? {
    let quote = rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return String(text) }
      if scalar != "\\" {
        text.append(scalar)
      } else if let escaped = rest.popFirst() {
        text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
      }
    }
    return nil
  }

  private mutating func word() -> JSONValue? {
    let word = String(
      rest.prefix { !",:]})".unicodeScalars.contains($0) && $0 != " " && $0 != "\n" })
    rest = rest.dropFirst(word.unicodeScalars.count)
    switch word {
    case "True": return .bool(true)
    case "False": return .bool(false)
    case "None": return .null
    default:
      if let number = Int(word) { return .integer(number) }
      return Double(word).map { .number($0) }
    }
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0.properties.isWhitespace }
  }

  /// Consumes a character if it comes next.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == sign else { return false }
    rest.removeFirst()
    skipSpace()
    return true
  }
}
