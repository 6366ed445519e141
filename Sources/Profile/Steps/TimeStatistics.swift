package import OcellusJSON

/// The figures of a series of times.
public struct TimeStatistics: Sendable, Equatable {
  /// How many there are.
  public let count: Int
  /// The shortest.
  public let minimum: Double
  /// A quarter of the times are no longer.
  public let lowerQuartile: Double
  /// The middle one, or the mean of the two in the middle.
  public let median: Double
  /// The average, which interruptions move.
  public let mean: Double
  /// How far times are from the average, by the mean of squares, which interruptions move even more.
  public let standardDeviation: Double
  /// Three quarters of the times are no longer.
  public let upperQuartile: Double
  /// Nine of ten times are no longer.
  public let ninetiethPercentile: Double
  /// Nineteen of twenty times are no longer.
  public let ninetyFifthPercentile: Double
  /// Of a hundred times ninety-nine are no longer.
  public let ninetyNinthPercentile: Double
  /// The longest.
  public let maximum: Double

  /// The figures of some times, in any unit.
  ///
  /// - Precondition: there is at least one.
  public init(_ times: [Double]) {
    precondition(!times.isEmpty, "there is nothing to say about no times")
    let sorted = times.sorted()
    let middle = sorted.count / 2
    // Nearest rank: the smallest time that at least so many hundredths do not exceed.
    func percentile(_ share: Int) -> Double { sorted[(share * sorted.count + 99) / 100 - 1] }
    count = sorted.count
    minimum = sorted[0]
    lowerQuartile = percentile(25)
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    self.mean = mean
    standardDeviation =
      (sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(sorted.count)).squareRoot()
    upperQuartile = percentile(75)
    ninetiethPercentile = percentile(90)
    ninetyFifthPercentile = percentile(95)
    ninetyNinthPercentile = percentile(99)
    maximum = sorted[sorted.count - 1]
  }

  /// How far apart the quartiles are, as a share of the median: what most runs differ by.
  public var spread: Double { median > 0 ? (upperQuartile - lowerQuartile) / median : 0 }

  package var json: JSONValue {
    [
      "median": .number(median), "min": .number(minimum), "p25": .number(lowerQuartile),
      "mean": .number(mean), "p75": .number(upperQuartile), "p90": .number(ninetiethPercentile),
      "p95": .number(ninetyFifthPercentile), "p99": .number(ninetyNinthPercentile),
      "max": .number(maximum), "std": .number(standardDeviation),
    ]
  }
}
