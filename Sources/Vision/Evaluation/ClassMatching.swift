/// Which detections of one class stand for which objects in one picture, by the rules of COCO.
struct ClassMatching {
  private let truths: [AnnotatedObject]
  /// The best first, equal ones in their order.
  let found: [ScoredObject]
  /// For each of `found`, how much it overlaps each of `truths`.
  private let overlaps: [[Double]]

  /// What became of a detection: bit n is about the n-th overlap of the measure.
  struct Outcome {
    /// It stands for an object.
    var matched: UInt16 = 0
    /// It counts neither as right nor as wrong.
    var ignored: UInt16 = 0
  }

  init(truths: [AnnotatedObject], found: [ScoredObject]) {
    self.truths = truths
    let order = found.indices.sorted { (found[$0].score, $1) > (found[$1].score, $0) }
    self.found = order.prefix(DetectionEvaluation.mostDetections).map { found[$0] }
    overlaps = self.found.map { object in
      truths.map { object.box.overlap(with: $0.box, asPartOf: $0.kind == .crowd) }
    }
  }

  /// The objects that are to be found, of these sizes.
  func judgedCount(areas: ClosedRange<Double>) -> Int {
    truths.count { $0.isJudged(areas) }
  }

  /// What became of each detection where only objects of these sizes are judged.
  func outcomes(areas: ClosedRange<Double>) -> [Outcome] {
    let judged = truths.map { $0.isJudged(areas) }
    // What is judged has the first choice.
    let order = truths.indices.filter { judged[$0] } + truths.indices.filter { !judged[$0] }
    var outcomes = [Outcome](repeating: Outcome(), count: found.count)
    for (level, threshold) in DetectionEvaluation.overlaps.enumerated() {
      let bit: UInt16 = 1 << level
      var isTaken = [Bool](repeating: false, count: truths.count)
      for index in found.indices {
        guard let truth = choice(of: index, from: order, judged, isTaken, threshold) else {
          if !areas.contains(found[index].box.area) { outcomes[index].ignored |= bit }
          continue
        }
        isTaken[truth] = true
        outcomes[index].matched |= bit
        if !judged[truth] { outcomes[index].ignored |= bit }
      }
    }
    return outcomes
  }

  /// The object that a detection stands for: the one it overlaps most, the last of equal ones; one that
  /// is not judged only where there is no other.
  private func choice(
    of index: Int, from order: [Int], _ judged: [Bool], _ isTaken: [Bool], _ threshold: Double
  ) -> Int? {
    var choice: Int?
    // Overlaps of equal boxes are not always 1 to the last bit.
    var least = min(threshold, 1 - 1e-10)
    for truth in order where !(isTaken[truth] && truths[truth].kind == .object) {
      if let choice, judged[choice], !judged[truth] { break }
      let overlap = overlaps[index][truth]
      guard overlap >= least else { continue }
      (choice, least) = (truth, overlap)
    }
    return choice
  }
}

extension AnnotatedObject {
  fileprivate func isJudged(_ areas: ClosedRange<Double>) -> Bool {
    kind == .object && areas.contains(area)
  }
}
