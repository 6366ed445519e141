/// How likely it is that two samples of the same thing lie as far apart as these, whatever its distribution.
enum RankTest {
  /// Samples beyond so many have more ways than are worth counting; the first ones of them decide.
  private static let mostSamples = 60

  /// The probability of samples of their own, on both sides (Mann and Whitney, 1947).
  static func probability(_ first: [Double], _ second: [Double]) -> Double {
    let (first, second) = (first.prefix(mostSamples), second.prefix(mostSamples))
    guard !first.isEmpty, !second.isEmpty else { return 1 }
    // Twice how often a number of the one is below one of the other; equal ones are half below.
    var doubled = 0
    for x in first {
      for y in second { doubled += x < y ? 2 : x == y ? 1 : 0 }
    }
    let most = first.count * second.count
    // Half a pair more, where there are ties: rather not certain than wrong.
    let extreme = (min(doubled, 2 * most - doubled) + 1) / 2
    let ways = waysByPairs(first.count, second.count)
    let all = ways.reduce(0, +)
    return min(1, 2 * ways[...extreme].reduce(0, +) / all)
  }

  /// The probability of samples that were taken in pairs, by the difference in each pair: were there none
  /// but chance, all signs would be as likely (Wilcoxon, 1945).
  static func probability(ofDifferences differences: [Double]) -> Double {
    let differences = differences.prefix(mostSamples).filter { $0 != 0 }
      .sorted { abs($0) < abs($1) }
    guard !differences.isEmpty else { return 1 }
    // Twice the rank, so that the mean rank of equal ones is whole too.
    let ranks = differences.map { difference in
      let below = differences.count { abs($0) < abs(difference) }
      return 2 * below + 1 + differences.count { abs($0) == abs(difference) }
    }
    let most = ranks.reduce(0, +)
    let above = zip(differences, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    // In how many choices of signs the positive ones add up to a sum.
    var ways = [Double](repeating: 0, count: most + 1)
    ways[0] = 1
    for rank in ranks {
      for sum in stride(from: most, through: rank, by: -1) { ways[sum] += ways[sum - rank] }
    }
    let all = ways.reduce(0, +)
    return min(1, 2 * ways[...min(above, most - above)].reduce(0, +) / all)
  }

  /// In how many orders of two samples so many pairs have the smaller number in the first one: by whether the
  /// last of all numbers is of the one sample, or of the other.
  private static func waysByPairs(_ first: Int, _ second: Int) -> [Double] {
    var rows = [[Double]](repeating: [1], count: second + 1)
    for count in 1...first {
      var next: [[Double]] = [[1]]
      for other in 1...second {
        var ways = [Double](repeating: 0, count: count * other + 1)
        // The last is of the second sample: every one of the first is below it.
        for (pairs, value) in next[other - 1].enumerated() { ways[pairs + count] += value }
        for (pairs, value) in rows[other].enumerated() { ways[pairs] += value }
        next.append(ways)
      }
      rows = next
    }
    return rows[second]
  }
}
