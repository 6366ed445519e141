/// Distribution-free tests of whether two samples differ by chance alone.
package enum RankTest {
  /// The maximum sample size, since counting takes long; further numbers are ignored.
  private static let maximumSamples = 60

  /// Returns the p-value of two independent samples, on both sides (Mann and Whitney, 1947).
  package static func probability(_ first: [Double], _ second: [Double]) -> Double {
    let (first, second) = (first.prefix(maximumSamples), second.prefix(maximumSamples))
    guard !first.isEmpty, !second.isEmpty else { return 1 }
    // Twice the number of pairs in which the first number is smaller; ties count half.
    var doubled = 0
    for x in first {
      for y in second { doubled += x < y ? 2 : x == y ? 1 : 0 }
    }
    let maximum = first.count * second.count
    // Ties may make this odd; rounding up keeps the test conservative.
    let extreme = (min(doubled, 2 * maximum - doubled) + 1) / 2
    let ways = waysByPairs(first.count, second.count)
    let all = ways.reduce(0, +)
    return min(1, 2 * ways[...extreme].reduce(0, +) / all)
  }

  /// Returns the p-value of paired samples by the differences of the pairs (Wilcoxon, 1945).
  ///
  /// If only chance differed, positive and negative signs would be equally likely.
  package static func probability(ofDifferences differences: [Double]) -> Double {
    let differences = differences.prefix(maximumSamples).filter { $0 != 0 }
      .sorted { abs($0) < abs($1) }
    guard !differences.isEmpty else { return 1 }
    // Twice the rank, so the mean rank of ties is an integer too.
    let ranks = differences.map { difference in
      let below = differences.count { abs($0) < abs(difference) }
      return 2 * below + 1 + differences.count { abs($0) == abs(difference) }
    }
    let maximum = ranks.reduce(0, +)
    let above = zip(differences, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    // The number of choices of signs for each sum of the positive ranks.
    var ways = [Double](repeating: 0, count: maximum + 1)
    ways[0] = 1
    for rank in ranks {
      for sum in stride(from: maximum, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
    }
    let all = ways.reduce(0, +)
    return min(1, 2 * ways[...min(above, maximum - above)].reduce(0, +) / all)
  }

  /// Returns the number of orders of two samples by the number of pairs with the smaller first.
  ///
  /// The recurrence distinguishes which sample the largest number belongs to.
  private static func waysByPairs(_ first: Int, _ second: Int) -> [Double] {
    var rows = [[Double]](repeating: [1], count: second + 1)
    for count in 1...first {
      var next: [[Double]] = [[1]]
      for other in 1...second {
        var ways = [Double](repeating: 0, count: count * other + 1)
        // The largest is in the second sample, so all of the first are below it.
        for (pairs, value) in next[other - 1].enumerated() { ways[pairs + count] += value }
        for (pairs, value) in rows[other].enumerated() { ways[pairs] += value }
        next.append(ways)
      }
      rows = next
    }
    return rows[second]
  }
}
