import OcellusPlatform

/// Equal numbers for equal seeds on all platforms, which makes failures repeatable.
package struct SeededGenerator: RandomNumberGenerator {
  private var generator: SplitMix64

  package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  package mutating func next() -> UInt64 { generator.next() }

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
