import OcellusJSON

/// The figures of a series of times.
struct TimeStatistics: Equatable {
  let count: Int
  let minimum: Double
  let median: Double
  let mean: Double
  /// Nine of ten times are no longer.
  let ninetiethPercentile: Double
  let maximum: Double

  init(_ times: [Double]) {
    precondition(!times.isEmpty, "there is nothing to say about no times")
    let sorted = times.sorted()
    let middle = sorted.count / 2
    count = sorted.count
    minimum = sorted[0]
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    mean = sorted.reduce(0, +) / Double(sorted.count)
    // Nearest rank: the smallest time that at least nine tenths do not exceed.
    ninetiethPercentile = sorted[(9 * sorted.count + 9) / 10 - 1]
    maximum = sorted[sorted.count - 1]
  }

  var json: JSONValue {
    [
      "median": .number(median), "min": .number(minimum), "mean": .number(mean),
      "p90": .number(ninetiethPercentile), "max": .number(maximum),
    ]
  }
}
