/// A fingerprint of indexed 64-bit words: two sums, for which the order of addition is irrelevant.
///
/// Replacing a word changes the plain sum. The second sum adds products that depend on the index
/// too, so swapping words changes it, and so do several replacements that keep the plain sum; they
/// collide with a probability of about 2⁻⁶⁴.
@frozen public struct WordSums: Sendable, Equatable {
  /// The wrapping sum of the words.
  public var words: UInt64 = 0
  /// The wrapping sum over the product of the halves of each word XORed with the key of its index.
  public var products: UInt64 = 0

  /// The sums over no words.
  public init() {}

  /// The key of index 0, and the difference of consecutive keys.
  ///
  /// The number has no bit pattern: it is 2⁶⁴ divided by the golden ratio.
  public static let keyStep: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns the key of an index.
  @inlinable public static func key(of index: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: index &+ 1) &* keyStep
  }

  /// Adds the word with the given index.
  @inlinable public mutating func add(_ word: UInt64, at index: Int) {
    let keyed = word ^ Self.key(of: index)
    words &+= word
    products &+= (keyed & 0xFFFF_FFFF) &* (keyed &>> 32)
  }

  /// Adds the sums of other words.
  @inlinable public static func += (sums: inout Self, others: Self) {
    sums.words &+= others.words
    sums.products &+= others.products
  }
}
