/// Two sums over words of 64 bits and their places, in whatever order they are met.
///
/// Every word is added to one, so that another word in its place changes it. The other has products that no
/// two places have in common: words that change places change it, and so do several that leave the first
/// sum as it is, but for one case in 2⁶⁴ or so.
@frozen public struct WordSums: Sendable, Equatable {
  /// The sum of the words.
  public var words: UInt64 = 0
  /// The sum of the products of the halves of each word, whose bits were compared with those of its place's key.
  public var products: UInt64 = 0

  /// The sums over nothing.
  public init() {}

  /// The key of the first place; that of each other one is as much above the one before.
  ///
  /// A number without a pattern: 2⁶⁴ over the golden ratio.
  public static let keyStep: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The key of a place.
  @inlinable public static func key(of place: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: place &+ 1) &* keyStep
  }

  /// Adds a word at a place.
  @inlinable public mutating func add(_ word: UInt64, at place: Int) {
    let keyed = word ^ Self.key(of: place)
    words &+= word
    products &+= (keyed & 0xFFFF_FFFF) &* (keyed &>> 32)
  }

  /// Adds other sums.
  @inlinable public static func += (sums: inout Self, others: Self) {
    sums.words &+= others.words
    sums.products &+= others.products
  }
}
