/// The matching of detections and objects of one class in one picture, by COCO's rules.
struct ClassMatching {
  private let truths: [AnnotatedObject]
  /// The detections, best first; those of equal score keep their order.
  let found: [ScoredObject]
  /// The overlap of each detection in `found` with each object in `truths`.
  private let overlaps: [[Double]]

  /// The result of a detection; bit n is for the n-th overlap threshold.
  struct Outcome {
    /// The detection matches an object.
    var matched: UInt16 = 0
    /// The detection counts neither as a true nor as a false positive.
    var ignored: UInt16 = 0
  }

  init(truths: [AnnotatedObject], found: [ScoredObject]) {
    self.truths = truths
    let order = found.indices.sorted { (found[$0].score, $1) > (found[$1].score, $0) }
    self.found = order.prefix(DetectionEvaluation.maximumDetections).map { found[$0] }
    overlaps = self.found.map { object in
      truths.map { object.box.overlap(with: $0.box, asPartOf: $0.kind == .crowd) }
    }
  }

  /// Returns the number of objects to be detected whose area is in the range.
  func judgedCount(areas: ClosedRange<Double>) -> Int {
    truths.count { $0.isJudged(areas) }
  }

  /// Returns the result of each detection when only objects in the range of areas are evaluated.
  func outcomes(areas: ClosedRange<Double>) -> [Outcome] {
    let judged = truths.map { $0.isJudged(areas) }
    // Objects that are evaluated are preferred to ignored ones.
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

  /// Returns the object that a detection matches: the one of largest overlap, the last of equals.
  ///
  /// An ignored object is chosen only when there is no other.
  private func choice(
    of index: Int, from order: [Int], _ judged: [Bool], _ isTaken: [Bool], _ threshold: Double
  ) -> Int? {
    var choice: Int?
    // The overlap of equal boxes may be a little less than 1.
    var minimumOverlap = min(threshold, 1 - 1e-10)
    for truth in order where !(isTaken[truth] && truths[truth].kind == .object) {
      if let choice, judged[choice], !judged[truth] { break }
      let overlap = overlaps[index][truth]
      guard overlap >= minimumOverlap else { continue }
      (choice, minimumOverlap) = (truth, overlap)
    }
    return choice
  }
}

extension AnnotatedObject {
  fileprivate func isJudged(_ areas: ClosedRange<Double>) -> Bool {
    kind == .object && areas.contains(area)
  }
}
