import OcellusPlatform

/// Reads the names of classes from YAML: the value of `names:`, or a whole file of names.
///
/// This is no YAML parser: it reads the few forms in which data sets list their classes, a list or
/// names by number.
enum YAMLNames {
  /// Returns the names; `nil` when the text has none.
  static func labels(in text: String) -> Labels? {
    // A byte order mark is not part of the text.
    let lines = (text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).lines
    guard let start = lines.firstIndex(where: { $0.hasPrefix("names:") }) else {
      return block(lines)
    }
    let inline = withoutComment(lines[start].dropFirst("names:".count)).trimmed
    guard let bracket = inline.first, bracket == "[" || bracket == "{" else {
      // The block ends at the next key in the first column.
      let rest = lines[(start + 1)...]
      return block(
        Array(rest.prefix { $0.first.map { $0.isWhitespace || $0 == "-" || $0 == "#" } ?? true }))
    }
    let flow = ([inline] + lines[(start + 1)...].map { withoutComment($0) }).joined(separator: " ")
    let isList = bracket == "["
    guard let end = flow.firstIndex(of: isList ? "]" : "}") else { return nil }
    let entries = split(flow[..<end].dropFirst(), at: ",").filter { !$0.trimmed.isEmpty }
    return isList
      ? Labels(entries.map { unquoted($0.trimmed) }) : numbered(entries)
  }

  private static func block(_ lines: [Substring]) -> Labels? {
    let entries = lines.map { withoutComment($0).trimmed }.filter { !$0.isEmpty && $0 != "---" }
    guard entries.allSatisfy({ $0.hasPrefix("- ") }) else { return numbered(entries) }
    return entries.isEmpty ? nil : Labels(entries.map { unquoted($0.dropFirst(2).trimmed) })
  }

  /// Reads entries like `0: cat`.
  private static func numbered(_ entries: [Substring]) -> Labels? {
    var names: [Int: String] = [:]
    for entry in entries {
      guard let colon = entry.firstIndex(of: ":"), let number = Int(entry[..<colon].trimmed) else {
        return nil
      }
      names[number] = unquoted(entry[entry.index(after: colon)...].trimmed)
    }
    return Labels(numbered: names)
  }

  private static func unquoted(_ text: Substring) -> String {
    guard let first = text.first, first == "'" || first == "\"", text.last == first, text.count > 1
    else { return String(text) }
    return String(text.dropFirst().dropLast())
  }

  /// Removes a comment: a `#` outside quotes, at the start of the line or after white space.
  private static func withoutComment(_ line: Substring) -> Substring {
    var quote: Character?
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "#", previous.isWhitespace {
        return line[..<index]
      } else if character == "\"" || character == "'",
        previous.isWhitespace || "[{,".contains(previous)
      {
        quote = character
      }
      previous = character
    }
    return line
  }

  /// Splits the text at separators outside quotes.
  private static func split(_ text: Substring, at sign: Character) -> [Substring] {
    var parts: [Substring] = []
    var (start, quote): (Substring.Index, Character?) = (text.startIndex, nil)
    var isBlankSoFar = true
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == sign {
        parts.append(text[start..<index])
        start = text.index(after: index)
        isBlankSoFar = true
        continue
      } else if character == "\"" || character == "'", isBlankSoFar {
        quote = character
      }
      if !character.isWhitespace { isBlankSoFar = false }
    }
    return parts + [text[start...]]
  }
}
