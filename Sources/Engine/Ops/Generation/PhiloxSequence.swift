import OcellusModelFile

/// A sequence of Philox blocks, numbered as in TensorFlow.
package struct PhiloxSequence {
  private let key: SIMD2<UInt32>
  /// The lower half counts the blocks, the upper half starts with the second seed.
  private var counter: SIMD4<UInt32>

  package init(seed: UInt64, secondSeed: UInt64) {
    key = [UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32)]
    counter = [
      0, 0, UInt32(truncatingIfNeeded: secondSeed), UInt32(truncatingIfNeeded: secondSeed >> 32),
    ]
  }

  /// Returns the next four random numbers.
  package mutating func next() -> SIMD4<UInt32> {
    let block = Philox.block(key: key, counter: counter)
    skip(1)
    return block
  }

  package mutating func skip(_ blockCount: UInt64) {
    let low = UInt64(counter[0]) | UInt64(counter[1]) << 32
    let (sum, overflow) = low.addingReportingOverflow(blockCount)
    counter[0] = UInt32(truncatingIfNeeded: sum)
    counter[1] = UInt32(truncatingIfNeeded: sum >> 32)
    guard overflow else { return }
    counter[2] &+= 1
    if counter[2] == 0 { counter[3] &+= 1 }
  }
}

/// The seeds in a node's options, with the sequence that continues from run to run.
package struct RandomSource: Sendable {
  private let seeds: (UInt64, UInt64)

  package init(_ node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.random)
    seeds = (
      UInt64(bitPattern: Int64(try options.integer(0, as: Int64.self))),
      UInt64(bitPattern: Int64(try options.integer(1, as: Int64.self)))
    )
  }

  /// Returns the position in the node's sequence; without seeds, the sequence starts at a random
  /// position.
  package func sequence(_ context: RunContext) -> Position {
    context.state {
      let isSeeded = seeds != (0, 0)
      return Position(
        PhiloxSequence(
          seed: isSeeded ? seeds.0 : .random(in: .min ... .max),
          secondSeed: isSeeded ? seeds.1 : .random(in: .min ... .max)))
    }
  }

  /// The state of a node: its position in the sequence.
  package final class Position {
    package var sequence: PhiloxSequence

    init(_ sequence: PhiloxSequence) { self.sequence = sequence }
  }
}

extension Float {
  /// Makes a number in [0, 1) from 23 random bits.
  package init(randomBits: UInt32) {
    self = Float(bitPattern: 127 << 23 | randomBits & 0x7F_FFFF) - 1
  }
}

extension Double {
  /// Makes a number in [0, 1) from 52 random bits, of which `upper` has the 20 most significant.
  package init(randomBits upper: UInt32, _ lower: UInt32) {
    self = Double(bitPattern: 1023 << 52 | UInt64(upper & 0xF_FFFF) << 32 | UInt64(lower)) - 1
  }
}
