/// The results of a channel's sums, as the steps at which they grow.
///
/// Requantization never decreases, and a byte has 256 values: its results for millions of sums are
/// known from at most 256 steps.
struct ResultSteps {
  /// The sums that inputs can lead to.
  let sums: ClosedRange<Int64>
  /// The first sum of each result, in order, and the result.
  let steps: [(sum: Int64, result: Int64)]

  init(of sums: ClosedRange<Int64>, _ scaling: PlainScaling) {
    self.sums = sums
    var steps: [(sum: Int64, result: Int64)] = []
    var start = sums.lowerBound
    let last = scaling(sums.upperBound)
    while true {
      let result = scaling(start)
      steps.append((start, result))
      if result == last { break }
      // The first sum with another result, by bisection.
      var (same, other) = (start, sums.upperBound)
      while other - same > 1 {
        let middle = same + (other - same) / 2
        if scaling(middle) == result { same = middle } else { other = middle }
      }
      start = other
    }
    self.steps = steps
  }

  /// The number of sums.
  var count: Int { Int(sums.upperBound - sums.lowerBound + 1) }

  /// Returns the index of the step that a sum belongs to.
  func step(of sum: Int64) -> Int {
    var (low, high) = (0, steps.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if steps[middle].sum <= sum { low = middle } else { high = middle }
    }
    return low
  }

  /// The range and the steps as 64-bit words, from which the hash in certificates is made.
  var words: [Int64] {
    [sums.lowerBound, sums.upperBound, Int64(steps.count)] + steps.flatMap { [$0.sum, $0.result] }
  }
}
