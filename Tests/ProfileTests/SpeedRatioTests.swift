import OcellusProfile
import Testing

/// Whether samples of times differ by more than chance.
@Suite struct SpeedRatioTests {
  /// Probabilities equal the tables of Mann and Whitney and combinatorics done by hand.
  @Test func ranksAreCountedAsInTheTables() {
    #expect(RankTest.probability([1, 2, 3], [4, 5, 6]) == 0.1)
    #expect(abs(RankTest.probability([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) - 2.0 / 252) < 1e-12)
    #expect(RankTest.probability([1, 3], [2, 4]) > 0.6)
    #expect(RankTest.probability([1], [1]) == 1)
    // U = 2 for 4 and 4 values: 4 of 70 orders are at least as extreme on this side.
    #expect(abs(RankTest.probability([1, 2, 3, 6], [4, 5, 7, 8]) - 8.0 / 70) < 1e-12)
    #expect(RankTest.probability([], [1]) == 1)
  }

  /// Probabilities equal Wilcoxon's tables and combinatorics done by hand.
  @Test func signsAreCountedAsInTheTables() {
    #expect(RankTest.probability(ofDifferences: [1, 2, 3, 4, 5]) == 2.0 / 32)
    #expect(RankTest.probability(ofDifferences: []) == 1)
    #expect(RankTest.probability(ofDifferences: [0, 0]) == 1)
    #expect(RankTest.probability(ofDifferences: [1, -1]) == 1)
    // The negative ranks of ten pairs add up to 8: the two-sided probability is 0.0488.
    let ten: [Double] = [-1, 2, 3, 4, 5, 6, -7, 8, 9, 10]
    #expect(abs(RankTest.probability(ofDifferences: ten) - 50.0 / 1024) < 1e-12)
    // Equal differences share their ranks; all with one sign is one of 2^4 cases, on each side.
    #expect(RankTest.probability(ofDifferences: [2, 2, 2, 2]) == 2.0 / 16)
  }

  /// Overlapping times are not called faster: their interval contains 1.
  @Test func whatMayBeChanceIsNotCalledFaster() {
    let speed = SpeedRatio(old: [1, 3, 2, 5, 4], new: [2, 1, 5, 3, 4])
    #expect(speed.ratio == 1)
    #expect(!speed.isCertain)
    #expect(!SpeedRatio(old: [10, 11, 12], new: [5, 6, 7]).isCertain, "three may be chance")
    #expect(SpeedRatio(old: [10, 11, 12, 10, 11], new: [5, 5.5, 6, 5, 6]).isCertain)
  }
}
