package import OcellusJSON

/// The statistics of a series of times.
public struct TimeStatistics: Sendable, Equatable {
  /// The number of times.
  public let count: Int
  /// The shortest time.
  public let minimum: Double
  /// The 25th percentile.
  public let lowerQuartile: Double
  /// The median: the middle time, or the mean of the two in the middle.
  public let median: Double
  /// The mean, which interruptions distort.
  public let mean: Double
  /// The standard deviation, which interruptions distort even more.
  public let standardDeviation: Double
  /// The 75th percentile.
  public let upperQuartile: Double
  /// The 90th percentile.
  public let ninetiethPercentile: Double
  /// The 95th percentile.
  public let ninetyFifthPercentile: Double
  /// The 99th percentile.
  public let ninetyNinthPercentile: Double
  /// The longest time.
  public let maximum: Double

  /// Computes the statistics of some times, in any unit.
  ///
  /// - Precondition: there is at least one time.
  public init(_ times: [Double]) {
    precondition(!times.isEmpty, "there is nothing to say about no times")
    let sorted = times.sorted()
    let middle = sorted.count / 2
    // Nearest-rank percentiles: the smallest time such that this share of the times is no longer.
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

  /// The interquartile range as a share of the median.
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
