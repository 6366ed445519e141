import OcellusEngine
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

@Suite struct DetectionLedgerTests {
  /// Returns a detector that finds the same five candidates of two classes in every picture.
  private func detector(_ change: (inout ObjectDetector.Options) -> Void = { _ in }) throws
    -> ObjectDetector
  {
    // Left, top, right, bottom, score, class.
    let rows: [Float] = [
      0.1, 0.1, 0.5, 0.5, 0.9, 0, 0.1, 0.1, 0.5, 0.48, 0.8, 0, 0.1, 0.1, 0.5, 0.5, 0.7, 1,
      0.6, 0.6, 0.9, 0.9, 0.6, 1, 0.6, 0.1, 0.9, 0.4, 0.1, 0,
    ]
    let model = try SyntheticNetwork(
      input: [1, 32, 32, 3], [("rows", .constant([1, 5, 6], rows))]
    ).model()
    var options = ObjectDetector.Options(
      suppression: .perCategory(overlap: 0.5), labels: Labels(["cat", "dog"]),
      input: .init(normalization: .unit), decoder: RowDecoder())
    change(&options)
    return try ObjectDetector(model, options: options)
  }

  /// Reads rows of left, top, right, bottom, score and class.
  private struct RowDecoder: DetectionDecoder {
    var summary: String { "rows" }

    func candidates(
      in outputs: [OutputTensor], threshold: Float
    ) throws(VisionError) -> [Candidate] {
      (0..<outputs[0].count / 6).compactMap { row in
        let values = (0..<6).map { outputs[0][6 * row + $0] }
        guard values[4] >= threshold else { return nil }
        return Candidate(
          box: BoundingBox(
            left: Double(values[0]), top: Double(values[1]), right: Double(values[2]),
            bottom: Double(values[3])), category: Int(values[5]), score: values[4],
          origin: .init(index: row))
      }
    }
  }

  private let picture = Image(uninitialized: .rgb8, size: PixelSize(width: 64, height: 64))

  @Test func everyCandidateIsAccountedFor() throws {
    let ledger = try detector().ledger(for: picture)
    #expect(ledger.entries.map(\.number) == [0, 1, 2, 3, 4])
    #expect(ledger.entries.map { $0.origin?.index } == [0, 1, 2, 3, 4])
    #expect(ledger.entries.map(\.label) == ["cat", "cat", "dog", "dog", "cat"])
    #expect(ledger.entries[0].fate == .kept && ledger.entries[2].fate == .kept)
    guard case .suppressed(let rival, let overlap) = ledger.entries[1].fate else {
      Issue.record("\(ledger.entries[1].fate)")
      return
    }
    #expect(rival == 0)
    #expect(abs(overlap - 0.95) < 0.001)
    #expect(ledger.entries[4].fate == .belowThreshold(0.25))
    #expect(ledger.summary.map(\.count).reduce(0, +) == 5)
    #expect(ledger.summary.first?.reason == "kept")
    #expect(ledger.originCount == 5)
  }

  @Test func listsAndLimitsAreReasons() throws {
    let unwanted = try detector { $0.deniedLabels = ["dog"] }.ledger(for: picture)
    #expect(unwanted.entries[2].fate == .unwanted && unwanted.entries[3].fate == .unwanted)
    let limited = try detector { $0.maximumResults = 1 }.ledger(for: picture)
    #expect(limited.entries.count { $0.fate == .overLimit } == 3)
    let subject = try detector { $0.findsMultipleObjects = false }.ledger(for: picture)
    #expect(subject.entries.count { $0.fate == .lessProminent } == 2)
    let blended = try detector { $0.suppression = .blend(overlap: 0.5) }.ledger(for: picture)
    #expect(blended.entries[1].fate.reason == "blended into a better box")
    let faded = try detector { $0.suppression = .soft(sigma: 0.1) }.ledger(for: picture)
    #expect(faded.entries[1].fate == .faded)
  }

  /// A ledger lists the same detections as `detect(in:)`.
  @Test func detectionsAreTheSame() throws {
    for suppression: Suppression in [
      .none, .perCategory(overlap: 0.5), .agnostic(overlap: 0.5), .soft(sigma: 0.5),
      .blend(overlap: 0.5),
    ] {
      let detector = try detector { $0.suppression = suppression }
      let ledger = try detector.ledger(for: picture)
      #expect(try detector.detect(in: picture) == ledger.detections, "\(suppression)")
      let kept = ledger.entries.filter { $0.fate == .kept }
      #expect(kept.count == ledger.detections.count, "\(suppression)")
    }
  }

  /// A network of constants ignores the picture, and covering any region of it costs no score.
  @Test func whatIsNotLookedAtDoesNotCount() throws {
    let detector = try detector()
    let found = try #require(try detector.detect(in: picture).first)
    let map = try detector.occlusionMap(of: found, in: picture, columns: 3, rows: 2)
    #expect(map.losses == [0, 0, 0, 0, 0, 0])
    #expect(map.score == 0.9)
  }
}
