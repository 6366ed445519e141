import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// What is certain about suppression, against suppression itself on drawn scores and boxes.
@Suite struct FlipJudgeTests {
  private func box(_ left: Double, _ top: Double, _ side: Double = 10) -> BoundingBox {
    BoundingBox(x: left, y: top, width: side, height: side)
  }

  private func range(
    _ index: Int, _ scores: ClosedRange<Float>, _ box: BoundingBox, by reach: Double = 0
  ) -> CandidateRange {
    func moved(_ by: Double) -> BoundingBox {
      BoundingBox(
        left: box.left + by, top: box.top + by, right: box.right + by, bottom: box.bottom + by)
    }
    return CandidateRange(
      origin: .init(index: index), category: 0, scores: scores,
      box: BoxRange(low: moved(-reach), high: moved(reach)))
  }

  private func judge(
    _ candidates: [CandidateRange], _ suppression: Suppression, limit: Int = .max
  ) -> FlipJudge {
    FlipJudge(
      candidates, isPresent: candidates.map { $0.lowScore >= 0.3 }, suppression,
      limits: (limit, .max), overlapMargin: 1e-9)
  }

  @Test func overlapsOfRangesAreThoseOfTheirBoxes() {
    // Two squares of 10, shifted by 5 ± 1 to the right: 4·10 of 160 to 6·10 of 140.
    let still = BoxRange(box(0, 0))
    let moving = BoxRange(
      low: BoundingBox(left: 4, top: 0, right: 14, bottom: 10),
      high: BoundingBox(left: 6, top: 0, right: 16, bottom: 10))
    let overlap = still.overlap(with: moving, margin: 0)
    #expect(overlap.lowerBound <= 40.0 / 160 && overlap.upperBound >= 60.0 / 140)
    let exact = still.overlap(with: BoxRange(box(5, 0)), margin: 0)
    #expect(exact.lowerBound == 50.0 / 150 && exact.upperBound == 50.0 / 150)
    #expect(still.overlap(with: BoxRange(box(20, 0))) == 0...0)
  }

  @Test func anOverlapNearTheLimitMayFlip() {
    // The squares overlap by a third; the better one suppresses the other above that only.
    let pair = [range(0, 0.8...0.81, box(0, 0)), range(1, 0.6...0.61, box(5, 0))]
    #expect(judge(pair, .perCategory(overlap: 0.3)).isDropped == [false, true])
    #expect(judge(pair, .perCategory(overlap: 0.34)).risks(of: 1).isEmpty)
    let shaky = [pair[0], range(1, 0.6...0.61, box(5, 0), by: 0.2)]
    let result = judge(shaky, .perCategory(overlap: 0.34))
    #expect(result.isDropped == [false, false])
    guard case .suppression(0.81, let overlap, 0.34)? = result.risks(of: 1).first else {
      Issue.record("no risk of suppression")
      return
    }
    #expect(overlap.contains(1.0 / 3) && overlap.upperBound > 0.34)
    #expect(result.risks(of: 0).isEmpty)
  }

  @Test func theOrderOfEqualScoresMayFlip() {
    let pair = [range(0, 0.7...0.72, box(0, 0)), range(1, 0.71...0.73, box(1, 0))]
    let result = judge(pair, .agnostic(overlap: 0.5))
    #expect(!result.risks(of: 0).isEmpty && !result.risks(of: 1).isEmpty)
    #expect(result.isDropped == [false, false])
  }

  @Test func equalScoresThatAreKnownKeepTheirOrder() {
    let pair = [range(0, 0.7...0.7, box(0, 0)), range(1, 0.7...0.7, box(1, 0))]
    let result = judge(pair, .agnostic(overlap: 0.5))
    #expect(result.isDropped == [false, true] && result.risks(of: 0).isEmpty)
  }

  @Test func whatIsBeyondTheLimitForCertainIsDropped() {
    let scores: [ClosedRange<Float>] = [0.9...0.91, 0.8...0.81, 0.7...0.71]
    let row = scores.enumerated().map { range($0, $1, box(20 * Double($0), 0)) }
    #expect(judge(row, .none, limit: 2).isDropped == [false, false, true])
  }

  @Test func whatIsDroppedForCertainSuppressesNothing() {
    // The first drops the second for certain, which otherwise would drop the third.
    let row = [
      range(0, 0.9...0.9, box(0, 0)), range(1, 0.8...0.8, box(4, 0)),
      range(2, 0.7...0.7, box(8, 0)),
    ]
    let result = judge(row, .perCategory(overlap: 0.4))
    #expect(result.isDropped == [false, true, false])
    #expect(result.risks(of: 2).isEmpty)
  }

  @Test func theLimitCountsThoseThatMayBeBetter() {
    let row = (0..<3).map { range($0, 0.5...0.6, box(20 * Double($0), 0)) }
    #expect(judge(row, .none, limit: 3).risks(of: 2).isEmpty)
    #expect(judge(row, .none, limit: 2).risks(of: 2) == [.limit(2)])
  }

  /// Draws candidates in clusters, so that many overlap about as much as is allowed.
  private func candidates(
    _ generator: inout SeededGenerator, width: Float
  ) -> [CandidateRange] {
    (0..<14).map { index in
      let score = Float.random(in: 0.2...0.95, using: &generator)
      let place = Double(Int.random(in: 0..<3, using: &generator)) * 14
      let (x, y) = (
        place + Double.random(in: 0...6, using: &generator),
        Double.random(in: 0...6, using: &generator)
      )
      let half = Float.random(in: 0...width, using: &generator)
      return CandidateRange(
        origin: .init(index: index), category: Int.random(in: 0..<2, using: &generator),
        scores: score - half...score + half,
        box: BoxRange(
          low: BoundingBox(
            left: x - Double(half), top: y - Double(half), right: x + 10 - Double(half),
            bottom: y + 10 - Double(half)),
          high: BoundingBox(
            left: x + Double(half), top: y + Double(half), right: x + 10 + Double(half),
            bottom: y + 10 + Double(half))))
    }
  }

  private func drawn(
    _ range: CandidateRange, _ generator: inout SeededGenerator
  ) -> Candidate {
    func number(_ low: Double, _ high: Double) -> Double {
      Double.random(in: low...high, using: &generator)
    }
    let (low, high) = (range.box.low, range.box.high)
    return Candidate(
      box: BoundingBox(
        left: number(low.left, high.left), top: number(low.top, high.top),
        right: number(low.right, high.right), bottom: number(low.bottom, high.bottom)),
      category: range.categories[0],
      score: Float.random(in: range.lowScore...range.highScore, using: &generator),
      origin: range.origin)
  }

  @Test(arguments: [
    Suppression.none, .perCategory(overlap: 0.45), .agnostic(overlap: 0.3), .blend(overlap: 0.3),
  ])
  func verdictsHoldForWhateverIsDrawn(suppression: Suppression) throws {
    var generator = SeededGenerator(seed: 9)
    var counts = (certain: 0, dropped: 0, open: 0)
    for round in 0..<120 {
      let all = candidates(&generator, width: [0.002, 0.02, 0.1][round % 3])
      let limit = round % 4 == 0 ? 4 : Int.max
      let result = judge(all, suppression, limit: limit)
      let certain = all.indices.filter {
        all[$0].lowScore >= 0.3 && !result.isDropped[$0] && result.risks(of: $0).isEmpty
      }
      let dropped = all.indices.filter { result.isDropped[$0] }
      counts.certain += certain.count
      counts.dropped += dropped.count
      counts.open += all.count - certain.count - dropped.count
      let blended = certain.map { result.blendedBox(of: $0) }
      for _ in 0..<25 {
        let present = all.map { drawn($0, &generator) }.filter { $0.score >= 0.3 }
        let kept = suppression.apply(to: present, threshold: 0.3, limit: limit)
        for (position, index) in certain.enumerated() {
          let mine = kept.first { $0.origin == all[index].origin }
          #expect(mine != nil)
          if let mine { #expect(blended[position].holds(mine.box)) }
        }
        for index in dropped {
          #expect(!kept.contains { $0.origin == all[index].origin })
        }
      }
    }
    #expect(counts.certain > 200 && counts.open > 50)
    #expect(counts.dropped > 100)
  }
}
