import OcellusImaging
import OcellusVision
import Testing

/// Three boxes in a row; neighbours have an intersection over union of a third.
@Suite struct SuppressionTests {
  private func candidate(_ left: Double, _ category: Int, _ score: Float) -> Candidate {
    Candidate(
      box: BoundingBox(x: left, y: 0, width: 2, height: 1), category: category, score: score)
  }

  private var row: [Candidate] {
    [candidate(0, 0, 0.5), candidate(1, 0, 0.75), candidate(2, 1, 0.625)]
  }

  private func scores(_ suppression: Suppression, limit: Int? = nil) -> [Float] {
    suppression.apply(to: row, threshold: 0.1, limit: limit).map(\.score)
  }

  @Test func noneSortsOnly() {
    #expect(scores(.none) == [0.75, 0.625, 0.5])
    #expect(scores(.none, limit: 2) == [0.75, 0.625])
  }

  @Test func byCategory() {
    #expect(scores(.perCategory(overlap: 0.3)) == [0.75, 0.625])
    #expect(scores(.perCategory(overlap: 0.34)) == [0.75, 0.625, 0.5])
  }

  @Test func agnostic() {
    #expect(scores(.agnostic(overlap: 0.3)) == [0.75])
  }

  @Test func softLowersScores() throws {
    // exp(-(1/3)² / 0.5) = 0.8007
    let kept = scores(.soft(sigma: 0.5))
    #expect(kept.count == 3)
    #expect(kept[0] == 0.75 && kept[1] == 0.625)
    #expect(abs(kept[2] - 0.5 * 0.80074) < 1e-4)
  }

  @Test func blendingIsAMeanByScore() throws {
    let kept = Suppression.blend(overlap: 0.3).apply(to: row, threshold: 0.1, limit: nil)
    #expect(kept.count == 2)
    // (0 · 0.5 + 1 · 0.75) / 1.25
    #expect(abs(kept[0].box.left - 0.6) < 1e-6)
    #expect(kept[1].box.left == 2)
  }

  /// Candidates with equal scores keep the order of the input, whatever the sorting algorithm does.
  @Test func tiesKeepTheirOrder() {
    let many = (0..<40).map { candidate(Double(3 * $0), 0, 0.5) }
    let kept = Suppression.perCategory(overlap: 0.3).apply(to: many, threshold: 0, limit: nil)
    #expect(kept == many)
  }
}
