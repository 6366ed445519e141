import Testing

/// A reader of bytes from strangers, and what such bytes are made of.
struct StrangersReader: Sendable, CustomTestStringConvertible {
  let name: String
  /// What it is shown.
  let patterns: [Pattern]
  /// Reads the bytes, and says nothing about what is wrong with them.
  let read: @Sendable ([UInt8]) -> Void

  var testDescription: String { name }

  /// Something of which there can be as much as one likes.
  struct Pattern: Sendable, CustomStringConvertible {
    let description: String
    /// About so many bytes of it.
    let bytes: @Sendable (_ count: Int) -> [UInt8]
  }

  /// A reader of what is made for it.
  init(_ name: String, patterns: [Pattern], read: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.patterns = patterns
    self.read = read
  }

  /// A reader of texts in which tokens are repeated behind each opening.
  init(
    _ name: String, openings: [String] = [""], tokens: [String], ending: String = "",
    read: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.init(
      name, bytes: openings.map { Array($0.utf8) }, tokens: tokens.map { Array($0.utf8) },
      ending: Array(ending.utf8), read: read)
  }

  /// A reader of bytes in which tokens are repeated behind each opening, which leads it to where it does
  /// something else.
  init(
    _ name: String, bytes openings: [[UInt8]], tokens: [[UInt8]], ending: [UInt8] = [],
    read: @escaping @Sendable ([UInt8]) -> Void
  ) {
    let repeated = Self.repeated(tokens)
    self.init(
      name,
      patterns: openings.flatMap { opening in
        repeated.map { Pattern(opening: opening, parts: $0, ending: ending) }
      }, read: read)
  }

  /// Each token, all pairs in turns, and many of one before many of another, as what is opened and closed.
  private static func repeated(_ tokens: [[UInt8]]) -> [[[UInt8]]] {
    let pairs = tokens.flatMap { first in tokens.filter { $0 != first }.map { [first, $0] } }
    return tokens.map { [$0] } + pairs.map { [$0[0] + $0[1]] } + pairs
  }
}

extension StrangersReader.Pattern {
  /// An opening, and parts of which each is repeated for its share of the bytes.
  fileprivate init(opening: [UInt8], parts: [[UInt8]], ending: [UInt8]) {
    func shown(_ bytes: [UInt8]) -> String {
      "'" + bytes.map { (0x20..<0x7F).contains($0) ? "\(Unicode.Scalar($0))" : "\\\($0)" }.joined()
        + "'"
    }
    description = shown(opening) + " and many " + parts.map(shown).joined(separator: ", then ")
    bytes = { count in
      var bytes = opening
      for part in parts {
        for _ in 0..<max(1, count / parts.count / part.count) { bytes += part }
      }
      return bytes + ending
    }
  }
}
