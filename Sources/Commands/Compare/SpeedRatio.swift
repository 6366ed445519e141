import OcellusJSON
import OcellusPlatform
import OcellusProfile

/// How much faster one thing is than another, and how sure that is.
///
/// The interval holds the ratio in 95 of 100 repetitions, found by the bootstrap: measurements are
/// drawn from those made, with repetition, two thousand times (Efron, 1979). It needs no assumption
/// about how times are distributed, which are never normal.
struct SpeedRatio: Equatable {
  /// Old time over new time: above 1 is faster.
  let ratio: Double
  let interval: ClosedRange<Double>

  private static let drawCount = 2000
  /// How often chance may be taken for a difference.
  ///
  /// Intervals of few measurements are too narrow: that all of the one side are above all of the other
  /// happens one time in ten where there are three of each.
  private static let mostFalseAlarms = 0.03
  /// The same where measurements were taken in pairs, of which there are enough to be strict.
  private static let mostFalseAlarmsOfPairs = 0.01

  private let isBeyondChance: Bool

  /// Whether chance alone would not explain the difference.
  var isCertain: Bool { isBeyondChance && !interval.contains(1) }

  /// The ratio of the medians of two series; of fewer than four measurements nothing is certain.
  init(old: [Double], new: [Double]) {
    self.init(pairs: [(old, new)])
  }

  /// The geometric mean of the ratios of several pairs.
  init(pairs: [(old: [Double], new: [Double])]) {
    func mean(_ ratio: (_ old: [Double], _ new: [Double]) -> Double) -> Double {
      exp(pairs.reduce(0) { $0 + log(ratio($1.old, $1.new)) } / Double(pairs.count))
    }
    isBeyondChance =
      pairs.count > 1
      || pairs.allSatisfy { RankTest.probability($0.old, $0.new) <= Self.mostFalseAlarms }
    ratio = mean { TimeStatistics($0).median / TimeStatistics($1).median }
    interval = Self.interval { generator in
      mean { Self.drawnMedian($0, &generator) / Self.drawnMedian($1, &generator) }
    }
  }

  /// The median of the ratios of measurements that were taken in turns, one of each side in every round:
  /// what slows the machine for a while slows both.
  init(rounds: [(old: Double, new: Double)]) {
    let logarithms = rounds.map { log($0.old / $0.new) }
    isBeyondChance =
      RankTest.probability(ofDifferences: logarithms) <= Self.mostFalseAlarmsOfPairs
    ratio = exp(TimeStatistics(logarithms).median)
    interval = Self.interval { generator in exp(Self.drawnMedian(logarithms, &generator)) }
  }

  /// Where 95 of 100 draws of a figure lie.
  private static func interval(
    _ draw: (inout SplitMix64) -> Double
  ) -> ClosedRange<Double> {
    // Seeded, so that the same measurements always give the same interval.
    var generator = SplitMix64(seed: 1)
    let draws = (0..<drawCount).map { _ in draw(&generator) }.sorted()
    return draws[drawCount / 40]...draws[drawCount - 1 - drawCount / 40]
  }

  private static func drawnMedian(
    _ numbers: [Double], _ generator: inout SplitMix64
  ) -> Double {
    TimeStatistics(numbers.map { _ in numbers.randomElement(using: &generator) ?? 0 }).median
  }

  var text: String {
    "\(ratio.fixed(3)) [\(interval.lowerBound.fixed(3))..\(interval.upperBound.fixed(3))]"
  }

  var json: JSONValue {
    [
      "ratio": .number(ratio), "low": .number(interval.lowerBound),
      "high": .number(interval.upperBound),
    ]
  }
}
