/// A precision-recall curve: its points are for falling score thresholds.
struct PrecisionRecall {
  /// The scores of the true and false positives, in descending order.
  private(set) var scores: [Double] = []
  private(set) var precisions: [Double] = []
  private(set) var recalls: [Double] = []

  /// Creates the curve of one overlap threshold and one size of objects.
  ///
  /// - Parameters:
  ///   - records: The detections in descending order of score.
  ///   - bit: The bit of the overlap threshold.
  ///   - size: The size of the objects.
  ///   - truthCount: The number of objects to detect; not 0.
  init(
    _ records: some Sequence<DetectionEvaluation.Record>, bit: UInt16,
    size: DetectionEvaluation.Size, truthCount: Int
  ) {
    var (right, wrong) = (0.0, 0.0)
    for record in records where record.ignored[size.rawValue] & bit == 0 {
      if record.matched[size.rawValue] & bit != 0 { right += 1 } else { wrong += 1 }
      scores.append(record.score)
      // Like pycocotools, add an epsilon to the denominator.
      precisions.append(right / (right + wrong + Double.ulpOfOne))
      recalls.append(right / Double(truthCount))
    }
  }

  /// The share of the objects that all detections together find.
  var finalRecall: Double { recalls.last ?? 0 }

  /// The highest precision at each recall or above it; 0 for recalls that are not reached.
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

  /// The score threshold with the best harmonic mean of precision and recall.
  var bestThreshold: DetectionEvaluation.OperatingPoint? {
    var best: DetectionEvaluation.OperatingPoint?
    for index in scores.indices {
      // Detections of equal score are on the same side of any threshold.
      if index + 1 < scores.count, scores[index + 1] == scores[index] { continue }
      let point = DetectionEvaluation.OperatingPoint(
        score: scores[index], precision: precisions[index], recall: recalls[index])
      if point.f1 > best?.f1 ?? 0 { best = point }
    }
    return best
  }
}
