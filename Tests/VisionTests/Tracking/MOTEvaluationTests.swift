import OcellusImaging
import OcellusVision
import Testing

@Suite struct MOTEvaluationTests {
  /// Frame, identity, x, y, width and height of three objects, with swapped identities, a gap, a
  /// new identity, false alarms, a distractor, an ignored region and a small box.
  private static let tracks = [
    [1, 11, 14, 11, 22, 38], [1, 12, 119, 14, 20, 43], [1, 20, 201, 21, 20, 20],
    [2, 11, 15, 11, 21, 39], [2, 12, 114, 19, 20, 46], [2, 22, 10, 200, 20, 20],
    [3, 11, 21, 6, 19, 41], [3, 12, 108, 13, 23, 43], [3, 20, 201, 21, 20, 20],
    [3, 21, 310, 20, 30, 30], [4, 11, 23, 8, 22, 42], [4, 12, 107, 13, 21, 42],
    [4, 13, 60, 79, 29, 29], [4, 23, 50, 200, 20, 9], [5, 11, 28, 10, 20, 39],
    [5, 12, 104, 14, 21, 43], [5, 13, 67, 80, 28, 30], [5, 20, 201, 21, 20, 20],
    [5, 22, 10, 200, 20, 20], [6, 11, 36, 8, 19, 40], [6, 12, 93, 16, 22, 46],
    [6, 21, 310, 20, 30, 30], [6, 23, 50, 200, 20, 9], [7, 11, 34, 11, 18, 40],
    [7, 12, 93, 15, 23, 44], [7, 20, 201, 21, 20, 20], [8, 12, 40, 13, 21, 39],
    [8, 11, 84, 15, 20, 44], [8, 13, 70, 76, 32, 31], [9, 12, 47, 12, 22, 38],
    [9, 11, 87, 11, 21, 46], [9, 13, 68, 77, 29, 31], [9, 20, 201, 21, 20, 20],
    [9, 21, 310, 20, 30, 30], [10, 12, 51, 14, 20, 42], [10, 11, 80, 18, 20, 46],
    [10, 14, 71, 80, 28, 31], [11, 12, 51, 9, 20, 42], [11, 11, 77, 13, 22, 44],
    [11, 14, 75, 77, 30, 30], [11, 20, 201, 21, 20, 20], [12, 12, 58, 8, 18, 39],
    [12, 11, 72, 18, 21, 42], [12, 14, 69, 84, 31, 28], [12, 21, 310, 20, 30, 30],
  ]

  private func truth(inFrame frame: Int) -> [TruthBox] {
    let time = Double(frame)
    var boxes = [
      TruthBox(id: 1, box: BoundingBox(x: 10 + 4 * time, y: 10, width: 20, height: 40)),
      TruthBox(id: 2, box: BoundingBox(x: 120 - 4 * time, y: 15, width: 22, height: 44)),
      TruthBox(
        id: 90, box: BoundingBox(x: 200, y: 20, width: 20, height: 20), kind: .distractor),
      TruthBox(
        id: 99, box: BoundingBox(x: 300, y: 0, width: 100, height: 100), kind: .ignoredRegion),
    ]
    if frame >= 4 {
      boxes.append(TruthBox(id: 3, box: BoundingBox(x: 60 + time, y: 80, width: 30, height: 30)))
    }
    return boxes
  }

  private func evaluation() -> MOTEvaluation {
    let tracks = (1...12).map { frame in
      Self.tracks.filter { $0[0] == frame }.map { row in
        TrackedBox(
          id: row[1],
          box: BoundingBox(
            x: Double(row[2]), y: Double(row[3]), width: Double(row[4]), height: Double(row[5])))
      }
    }
    return MOTEvaluation(
      truth: (1...12).map(truth(inFrame:)), tracks: tracks, minimumHeight: 10)
  }

  /// Measures equal TrackEval 1.3.0's (by a script that agrees with TrackEval to 1e-13).
  @Test func measuresAreThoseOfTrackEval() {
    let evaluation = evaluation()
    #expect(abs(evaluation.hota - 0.426977759216136) < 1e-12)
    #expect(abs(evaluation.detectionAccuracy - 0.6569102103257379) < 1e-12)
    #expect(abs(evaluation.associationAccuracy - 0.2798772821574986) < 1e-12)
    #expect(abs(evaluation.mota - 0.7878787878787878) < 1e-12)
    #expect(abs(evaluation.idf1 - 0.5454545454545455) < 1e-12)
    #expect(evaluation.identitySwitches == 3)
    #expect(evaluation.falsePositives == 2)
    #expect(evaluation.falseNegatives == 2)
    #expect(evaluation.truthCount == 33)
  }

  @Test func sequencesAddUp() {
    var sum = MOTEvaluation()
    #expect(sum.mota == 0 && sum.idf1 == 0 && sum.hota == 0)
    sum += evaluation()
    sum += evaluation()
    #expect(sum.identitySwitches == 6)
    #expect(abs(sum.hota - evaluation().hota) < 1e-12)
    #expect(abs(sum.idf1 - evaluation().idf1) < 1e-12)
  }

  @Test func perfectTracksAreOne() {
    let truth = (1...12).map(truth(inFrame:))
    let tracks = truth.map { frame in
      frame.filter { $0.kind == .object }.map { TrackedBox(id: $0.id + 7, box: $0.box) }
    }
    let evaluation = MOTEvaluation(truth: truth, tracks: tracks)
    #expect(abs(evaluation.hota - 1) < 1e-12)
    #expect(evaluation.mota == 1 && evaluation.idf1 == 1)
  }
}
