/// The choice among decoded boxes: first the best scores, then what does not overlap those.
struct DetectionSelection {
  /// One row of the results.
  struct Detection {
    var row: Int
    var anchor: Int
    /// The class, not counting the background.
    var category: Int
    var score: Float
  }

  let options: DetectionOptions
  let boxes: UnsafeMutableBufferPointer<CornerBox>
  /// One row for each box, one column for each class, perhaps behind one for the background.
  let scores: UnsafeMutableBufferPointer<Float>
  let columnCount: Int

  /// The rows that a box takes when it is chosen by its best class.
  var classesPerDetection: Int { min(options.maxClassesPerDetection, options.classCount) }

  private func score(_ box: Int, _ category: Int) -> Float {
    scores[box * columnCount + columnCount - options.classCount + category]
  }

  // MARK: All classes at once

  /// Boxes by their best class; every one takes rows for several of its classes.
  func bestOfAllClasses(_ context: RunContext) throws(ModelError) -> [Detection] {
    let best = boxes.indices.map { score($0, bestClass(of: $0)) }
    var detections: [Detection] = []
    let anchors = try suppress(scores: best, limit: options.maxDetections, context)
    for (place, anchor) in anchors.enumerated() {
      for (column, category) in bestClasses(of: anchor).enumerated() {
        detections.append(
          Detection(
            row: place * options.maxClassesPerDetection + column, anchor: anchor,
            category: category, score: score(anchor, category)))
      }
    }
    return detections
  }

  /// The first class with the highest score.
  private func bestClass(of box: Int) -> Int {
    var best = 0
    for category in 1..<max(options.classCount, 1) {
      let (score, highest) = (score(box, category), score(box, best))
      if score > highest || (highest.isNaN && !score.isNaN) { best = category }
    }
    return best
  }

  private func bestClasses(of box: Int) -> [Int] {
    if classesPerDetection == 1 { return [bestClass(of: box)] }
    return BinaryHeap.first(classesPerDetection, of: Array(0..<options.classCount)) {
      score(box, $0) > score(box, $1)
    }
  }

  // MARK: Class by class

  /// Boxes for each class by itself, the best of all of them in falling order.
  func bestOfEachClass(_ context: RunContext) throws(ModelError) -> [Detection] {
    let limit = min(options.detectionsPerClass, options.maxDetections)
    var best: [Detection] = []
    for category in 0..<options.classCount {
      try context.checkpoint()
      let scores = boxes.indices.map { score($0, category) }
      let found = try suppress(scores: scores, limit: limit, context).map {
        Detection(row: 0, anchor: $0, category: category, score: scores[$0])
      }
      best = Array(Self.merge(best, found).prefix(options.maxDetections))
    }
    for row in best.indices { best[row].row = row }
    return best
  }

  /// Merges two falling lists; of equal scores those of the first come first.
  private static func merge(_ first: [Detection], _ second: [Detection]) -> [Detection] {
    var merged: [Detection] = []
    merged.reserveCapacity(first.count + second.count)
    var rest = second[...]
    for detection in first {
      while let next = rest.first, next.score > detection.score {
        merged.append(next)
        rest.removeFirst()
      }
      merged.append(detection)
    }
    return merged + rest
  }

  // MARK: Suppression

  /// The boxes with the highest scores that do not overlap better ones too much.
  private func suppress(
    scores: [Float], limit: Int, _ context: RunContext
  ) throws(ModelError) -> [Int] {
    let candidates = scores.indices.filter { scores[$0] >= options.scoreThreshold }
      .sorted { scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1] }
    var isSuppressed = [Bool](repeating: false, count: candidates.count)
    var selected: [Int] = []
    for (rank, box) in candidates.enumerated() where !isSuppressed[rank] {
      guard selected.count < limit else { break }
      try context.checkpoint()
      selected.append(box)
      for other in rank + 1..<max(candidates.count, rank + 1) where !isSuppressed[other] {
        isSuppressed[other] =
          boxes[box].intersectionOverUnion(with: boxes[candidates[other]])
          > options.overlapThreshold
      }
    }
    return selected
  }
}
