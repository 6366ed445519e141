import OcellusPlatform

/// The names of a model's classes.
public struct Labels: Hashable, Sendable {
  /// The names by index; `nil` for an entry without a name.
  public private(set) var names: [String?]
  /// The number that is added to a class index of the model to find its name.
  ///
  /// It is 1 for a list that begins with a background class which the model does not count.
  public var offset: Int

  /// Creates labels for the classes from 0 on.
  public init(_ names: [String?], offset: Int = 0) {
    self.names = names
    self.offset = offset
  }

  /// The number of entries in the list.
  public var count: Int { names.count }

  /// The name of a class of the model; `nil` when the list has none.
  public subscript(category: Int) -> String? {
    let (index, overflow) = category.addingReportingOverflow(offset)
    return !overflow && names.indices.contains(index) ? names[index] : nil
  }

  /// Whether the first name stands for the background.
  public var beginsWithBackground: Bool {
    guard let first = names.first else { return false }
    guard let first else { return true }
    return ["background", "__background__", "unlabeled"].contains(first.lowercased())
  }
}

extension Labels {
  /// Reads a label file's text: one name on each line, or lines like `17 cat` and `17: cat`.
  ///
  /// A blank line, `???` and `n/a` are entries without a name; blank lines at the end are ignored.
  /// Of `b'cat'`, as Python prints bytes, only `cat` is used. The byte order mark is dropped.
  ///
  /// Lines end at LF or CR LF; in a text without LF, at CR, as in files of old Macs. Other Unicode
  /// line separators (U+0085, U+2028, form feeds) belong to the name.
  public init(parsing text: String) {
    var lines = text.lines.map(\.trimmed)
    if let first = lines.first, first.first == "\u{FEFF}" { lines[0] = first.dropFirst().trimmed }
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.init(Self.numbered(lines) ?? lines.map(Self.name))
  }

  /// Returns the name in a line; `nil` for an entry without a name.
  static func name(_ line: Substring) -> String? {
    let name = quotedBytes(line) ?? line
    return ["", "???", "n/a"].contains(name.lowercased()) ? nil : String(name)
  }

  /// Returns the text in Python's `b'cat'` or `b"cat"`; `nil` for any other line.
  private static func quotedBytes(_ line: Substring) -> Substring? {
    guard line.utf8.count >= 3, line.utf8.first == UInt8(ascii: "b"),
      let quote = line.utf8.dropFirst().first, quote == line.utf8.last,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    else { return nil }
    return Substring(line.utf8.dropFirst(2).dropLast())
  }

  /// Returns the names by number; `nil` unless every line begins with a number of its own.
  private static func numbered(_ lines: [Substring]) -> [String?]? {
    var names: [Int: String] = [:]
    for line in lines where !line.isEmpty {
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      let rest = line.dropFirst(digits.count)
      guard let number = Int(digits), number <= largestNumber, names[number] == nil,
        let separator = rest.first, separator.isWhitespace || separator == ":"
      else { return nil }
      names[number] = name(rest.dropFirst().trimmed) ?? ""
    }
    guard let last = names.keys.max() else { return nil }
    return (0...last).map { names[$0].flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The largest class number accepted from a file, which bounds the length of the list.
  static let largestNumber = 1_000_000
}

extension StringProtocol {
  /// The text without the white space at both ends.
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
