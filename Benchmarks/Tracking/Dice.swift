import Foundation

/// Random numbers that are equal in every run (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns a number that is uniformly distributed from 0 to 1.
  mutating func share() -> Double { .random(in: 0..<1, using: &self) }

  /// Returns true with the given probability.
  mutating func happens(_ probability: Double) -> Bool { share() < probability }

  /// Returns a normally distributed number with mean 0.
  mutating func normal(_ deviation: Double = 1) -> Double {
    deviation * (-2 * log(max(share(), 1e-12))).squareRoot() * cos(2 * .pi * share())
  }
}
