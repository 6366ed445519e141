import OcellusPlatform

/// The names of a model's classes.
public struct Labels: Hashable, Sendable {
  /// The names by index; `nil` where the list has a place but no name.
  public private(set) var names: [String?]
  /// What is added to a class number of the model to find its name: 1 for a list that begins with a
  /// background class which the model does not count.
  public var offset: Int

  /// Labels for the classes from 0 on.
  public init(_ names: [String?], offset: Int = 0) {
    self.names = names
    self.offset = offset
  }

  /// The number of places in the list.
  public var count: Int { names.count }

  /// The name of a class of the model; `nil` when the list has none for it.
  public subscript(category: Int) -> String? {
    let (index, overflow) = category.addingReportingOverflow(offset)
    return !overflow && names.indices.contains(index) ? names[index] : nil
  }

  /// Whether the first name stands for "nothing here".
  public var beginsWithBackground: Bool {
    guard let first = names.first else { return false }
    guard let first else { return true }
    return ["background", "__background__", "unlabeled"].contains(first.lowercased())
  }
}

extension Labels {
  /// Reads a label file's text: one name a line, or lines like `17 cat` and `17: cat` with numbers.
  ///
  /// A blank line, `???` and `n/a` keep a place without a name; blank lines at the end do not count. Of
  /// `b'cat'`, as Python prints bytes, the name is taken. The byte order mark is dropped.
  ///
  /// Lines end at LF or CR LF; where there is no LF at all, at CR, as in files of old Macs. Nothing else ends
  /// a line: what Unicode counts as line ends besides (U+0085, U+2028, form feeds) belongs to the name.
  public init(parsing text: String) {
    var lines = text.lines.map(\.trimmed)
    if let first = lines.first, first.first == "\u{FEFF}" { lines[0] = first.dropFirst().trimmed }
    while lines.last?.isEmpty == true { lines.removeLast() }
    self.init(Self.numbered(lines) ?? lines.map(Self.name))
  }

  /// The name in a line; `nil` where the line keeps a place without one.
  static func name(_ line: Substring) -> String? {
    let name = quotedBytes(line) ?? line
    return ["", "???", "n/a"].contains(name.lowercased()) ? nil : String(name)
  }

  /// What Python's `b'cat'` or `b"cat"` holds; `nil` where the line is something else.
  private static func quotedBytes(_ line: Substring) -> Substring? {
    guard line.utf8.count >= 3, line.utf8.first == UInt8(ascii: "b"),
      let quote = line.utf8.dropFirst().first, quote == line.utf8.last,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    else { return nil }
    return Substring(line.utf8.dropFirst(2).dropLast())
  }

  /// The names of lines that all begin with a number of their own.
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

  /// A number in a file must not make a list of any length.
  static let largestNumber = 1_000_000
}

extension StringProtocol {
  /// Without the white space at both ends.
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
