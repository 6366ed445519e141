/// How precision falls while recall rises, as the score from which detections count goes down.
struct PrecisionRecall {
  /// The scores of the detections that count as right or wrong, from high to low.
  private(set) var scores: [Double] = []
  private(set) var precisions: [Double] = []
  private(set) var recalls: [Double] = []

  /// - Parameters:
  ///   - records: From high to low scores.
  ///   - bit: The overlap to look at.
  ///   - size: The size of objects to look at.
  ///   - truthCount: The objects to be found; not 0.
  init(
    _ records: some Sequence<DetectionEvaluation.Record>, bit: UInt16,
    size: DetectionEvaluation.Size, truthCount: Int
  ) {
    var (right, wrong) = (0.0, 0.0)
    for record in records where record.ignored[size.rawValue] & bit == 0 {
      if record.matched[size.rawValue] & bit != 0 { right += 1 } else { wrong += 1 }
      scores.append(record.score)
      // The last bit of 1 is what pycocotools adds.
      precisions.append(right / (right + wrong + Double.ulpOfOne))
      recalls.append(right / Double(truthCount))
    }
  }

  /// The part of the objects that is found in the end.
  var finalRecall: Double { recalls.last ?? 0 }

  /// The best precision that is left at each of the measure's recalls; 0 where recall does not get to.
  var interpolated: [Double] {
    var best = precisions
    for index in best.indices.dropLast().reversed() {
      best[index] = max(best[index], best[index + 1])
    }
    var index = 0
    return DetectionEvaluation.recalls.map { recall in
      while index < recalls.count, recalls[index] < recall { index += 1 }
      return index < best.count ? best[index] : 0
    }
  }

  /// The score from which on the harmonic mean of precision and recall is best.
  var bestThreshold: DetectionEvaluation.OperatingPoint? {
    var best: DetectionEvaluation.OperatingPoint?
    for index in scores.indices {
      // Detections of equal score count together.
      if index + 1 < scores.count, scores[index + 1] == scores[index] { continue }
      let point = DetectionEvaluation.OperatingPoint(
        score: scores[index], precision: precisions[index], recall: recalls[index])
      if point.f1 > best?.f1 ?? 0 { best = point }
    }
    return best
  }
}
