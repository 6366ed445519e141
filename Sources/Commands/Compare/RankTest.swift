/// How likely it is that two samples of the same thing lie as far apart as these, whatever its distribution
/// (Mann and Whitney, 1947).
enum RankTest {
  /// Samples beyond so many have more ways than are worth counting; the first ones of them decide.
  private static let mostSamples = 60

  /// The probability, on both sides.
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
