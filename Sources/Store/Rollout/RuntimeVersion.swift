import OcellusPlatform

/// A version of this library: numbers in order of significance.
public struct RuntimeVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The version of this library.
  public static let current = RuntimeVersion(numbers: Release.numbers)

  private let numbers: [Int]

  private init(numbers: [Int]) { self.numbers = numbers }

  /// Parses a version such as `1.4`; `nil` unless it consists of one to four numbers.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count, (1...4).contains(numbers.count) else { return nil }
    self.init(numbers: numbers)
  }

  /// Whether the first version is older.
  public static func < (first: RuntimeVersion, second: RuntimeVersion) -> Bool {
    for position in 0..<max(first.numbers.count, second.numbers.count) {
      let (one, other) = (first[position], second[position])
      if one != other { return one < other }
    }
    return false
  }

  /// Whether the versions are equal, ignoring trailing zeros.
  public static func == (first: RuntimeVersion, second: RuntimeVersion) -> Bool {
    !(first < second) && !(second < first)
  }

  /// Hashes the numbers, ignoring trailing zeros.
  public func hash(into hasher: inout Hasher) {
    for position in 0..<4 { hasher.combine(self[position]) }
  }

  private subscript(position: Int) -> Int { position < numbers.count ? numbers[position] : 0 }

  /// The numbers, separated by dots.
  public var description: String { numbers.map(String.init).joined(separator: ".") }
}
