/// SplitMix64: equal numbers for equal seeds on all platforms, which makes failures repeatable.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func floats(_ count: Int) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &self) }
  }

  /// Returns bytes, an eighth of which are extreme values, which overflow first.
  package mutating func bytes(_ count: Int, isSigned: Bool) -> [UInt8] {
    let extremes: [UInt8] = isSigned ? [128, 127, 129, 0] : [0, 255, 1, 128]
    return (0..<count).map { _ in
      Int.random(in: 0..<8, using: &self) == 0
        ? extremes[Int.random(in: 0..<4, using: &self)] : UInt8.random(in: 0...255, using: &self)
    }
  }
}
