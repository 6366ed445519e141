/// Reads TensorFlow's label maps in the text form of protocol buffers.
struct LabelMapText {
  private var rest: Substring.UnicodeScalarView

  /// Returns the names by id; `nil` when the text is not a label map.
  ///
  /// Ids count from 1 in label maps and classes from 0 in models, so the name at index 0 is `nil`.
  static func labels(in text: String) -> Labels? {
    var reader = Self(rest: text[...].unicodeScalars)
    var names: [Int: String] = [:]
    while let word = reader.word() {
      guard word == "item", reader.take("{"), let fields = reader.fields() else { return nil }
      guard let id = fields["id"].flatMap({ Int($0) }),
        let name = fields["display_name"] ?? fields["name"]
      else { return nil }
      names[id] = name
    }
    return reader.isAtEnd ? Labels(numbered: names) : nil
  }

  /// Whether a text begins like a label map, possibly after comments.
  static func isBeginning(of text: Substring.UnicodeScalarView) -> Bool {
    var reader = Self(rest: text)
    return reader.word() == "item" && reader.take("{")
  }

  private var isAtEnd: Bool {
    mutating get {
      skip()
      return rest.isEmpty
    }
  }

  /// Reads the scalar fields up to the closing brace; skips nested messages such as keypoints.
  private mutating func fields() -> [String: String]? {
    var fields: [String: String] = [:]
    while !take("}") {
      guard let name = word() else { return nil }
      if take("{") {
        guard passMessage() else { return nil }
      } else {
        guard take(":"), let value = value() else { return nil }
        fields[name] = value
      }
      _ = take(",") || take(";")
    }
    return fields
  }

  private mutating func passMessage() -> Bool {
    var depth = 1
    while depth > 0 {
      if take("{") {
        depth += 1
      } else if take("}") {
        depth -= 1
      } else if !take(":"), !take(","), !take(";"), value() == nil {
        return false
      }
    }
    return true
  }

  private mutating func value() -> String? {
    skip()
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return word() }
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    return nil
  }

  private mutating func word() -> String? {
    skip()
    let word = rest.prefix {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "_.+-/".unicodeScalars.contains($0)
    }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : String(word)
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skip()
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips white space, comments, and the byte order mark.
  private mutating func skip() {
    while let first = rest.first {
      if first == "#" {
        rest = rest.drop { $0 != "\n" && $0 != "\r" }
      } else if first.properties.isWhitespace || first == "\u{FEFF}" {
        rest.removeFirst()
      } else {
        return
      }
    }
  }
}
