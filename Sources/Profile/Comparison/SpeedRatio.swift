import OcellusPlatform

/// The speed of one side relative to another, with a confidence interval.
///
/// The 95 % interval is found by the bootstrap: two thousand resamples of the measurements, drawn
/// with replacement (Efron, 1979). It needs no assumption about the distribution of times, which is
/// never normal.
package struct SpeedRatio: Equatable {
  /// Old time divided by new time; above 1 the new side is faster.
  package let ratio: Double
  package let interval: ClosedRange<Double>

  private static let drawCount = 2000
  /// The significance level of unpaired measurements.
  ///
  /// The bootstrap intervals of few measurements are too narrow: with three on each side, all of
  /// one are above all of the other in one of ten cases.
  private static let significanceLevel = 0.03
  /// The significance level of paired measurements, which are numerous enough to be stricter.
  private static let pairedSignificanceLevel = 0.01

  private let isBeyondChance: Bool

  /// Whether the difference is significant.
  package var isCertain: Bool { isBeyondChance && !interval.contains(1) }

  /// Takes the ratio of two series' medians; fewer than four measurements are never significant.
  package init(old: [Double], new: [Double]) {
    self.init(pairs: [(old, new)])
  }

  /// Takes the geometric mean of the ratios of several pairs of series.
  package init(pairs: [(old: [Double], new: [Double])]) {
    func mean(_ ratio: (_ old: [Double], _ new: [Double]) -> Double) -> Double {
      exp(pairs.reduce(0) { $0 + log(ratio($1.old, $1.new)) } / Double(pairs.count))
    }
    isBeyondChance =
      pairs.count > 1
      || pairs.allSatisfy { RankTest.probability($0.old, $0.new) <= Self.significanceLevel }
    ratio = mean { TimeStatistics($0).median / TimeStatistics($1).median }
    interval = Self.interval { generator in
      mean { Self.drawnMedian($0, &generator) / Self.drawnMedian($1, &generator) }
    }
  }

  /// Takes the median ratio of measurements that alternated between both sides.
  ///
  /// Whatever slows the machine for a while slows both sides of a round.
  package init(rounds: [(old: Double, new: Double)]) {
    let logarithms = rounds.map { log($0.old / $0.new) }
    isBeyondChance =
      RankTest.probability(ofDifferences: logarithms) <= Self.pairedSignificanceLevel
    ratio = exp(TimeStatistics(logarithms).median)
    interval = Self.interval { generator in exp(Self.drawnMedian(logarithms, &generator)) }
  }

  /// Returns the interval that contains 95 % of the draws.
  private static func interval(
    _ draw: (inout SplitMix64) -> Double
  ) -> ClosedRange<Double> {
    // A fixed seed, so equal measurements always give equal intervals.
    var generator = SplitMix64(seed: 1)
    let draws = (0..<drawCount).map { _ in draw(&generator) }.sorted()
    return draws[drawCount / 40]...draws[drawCount - 1 - drawCount / 40]
  }

  private static func drawnMedian(
    _ numbers: [Double], _ generator: inout SplitMix64
  ) -> Double {
    TimeStatistics(numbers.map { _ in numbers.randomElement(using: &generator) ?? 0 }).median
  }
}
