import Testing

/// A reader of untrusted bytes, and the patterns that such bytes consist of.
struct StrangersReader: Sendable, CustomTestStringConvertible {
  let name: String
  /// The patterns that the reader is tested with.
  let patterns: [Pattern]
  /// Reads bytes and ignores errors.
  let read: @Sendable ([UInt8]) -> Void

  var testDescription: String { name }

  /// A pattern that can be repeated to any length.
  struct Pattern: Sendable, CustomStringConvertible {
    let description: String
    /// Returns about `count` bytes.
    let bytes: @Sendable (_ count: Int) -> [UInt8]
  }

  /// Creates a reader with its own patterns.
  init(_ name: String, patterns: [Pattern], read: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.patterns = patterns
    self.read = read
  }

  /// Creates a reader of texts in which tokens are repeated after each opening.
  init(
    _ name: String, openings: [String] = [""], tokens: [String], ending: String = "",
    read: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.init(
      name, bytes: openings.map { Array($0.utf8) }, tokens: tokens.map { Array($0.utf8) },
      ending: Array(ending.utf8), read: read)
  }

  /// Creates a reader of bytes in which tokens are repeated after each opening.
  ///
  /// The openings lead the reader into different states.
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

  /// Returns each token, all alternating pairs, and all pairs of many first and many second tokens.
  private static func repeated(_ tokens: [[UInt8]]) -> [[[UInt8]]] {
    let pairs = tokens.flatMap { first in tokens.filter { $0 != first }.map { [first, $0] } }
    return tokens.map { [$0] } + pairs.map { [$0[0] + $0[1]] } + pairs
  }
}

extension StrangersReader.Pattern {
  /// Creates a pattern of an opening and parts, each of which is repeated for its share of the
  /// bytes.
  fileprivate init(opening: [UInt8], parts: [[UInt8]], ending: [UInt8]) {
    func shown(_ bytes: [UInt8]) -> String {
      "'" + bytes.map { (0x20..<0x7F).contains($0) ? "\(Unicode.Scalar($0))" : "\\\($0)" }.joined()
        + "'"
    }
    description = shown(opening) + " and many " + parts.map(shown).joined(separator: ", then ")
    bytes = { count in
      var bytes = opening
      for part in parts {
        bytes += Self.copies(max(1, count / parts.count / part.count), of: part)
      }
      return bytes + ending
    }
  }

  /// Returns copies of a part one after another, which doubling makes quickly.
  private static func copies(_ count: Int, of part: [UInt8]) -> ArraySlice<UInt8> {
    var bytes = part
    while bytes.count < count * part.count { bytes += bytes }
    return bytes.prefix(count * part.count)
  }
}
