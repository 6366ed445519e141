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
    // Seeded, so that the same files always give the same interval.
    var generator = SplitMix64(seed: 1)
    func drawnMedian(_ times: [Double]) -> Double {
      TimeStatistics(times.map { _ in times.randomElement(using: &generator) ?? 1 }).median
    }
    let draws = (0..<Self.drawCount).map { _ in mean { drawnMedian($0) / drawnMedian($1) } }
      .sorted()
    interval = draws[Self.drawCount / 40]...draws[Self.drawCount - 1 - Self.drawCount / 40]
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
