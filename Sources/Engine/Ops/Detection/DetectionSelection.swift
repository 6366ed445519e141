/// Non-maximum suppression of decoded boxes, the best scores first.
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
  /// The scores: one row per box and one column per class, optionally after one for the background.
  let scores: UnsafeMutableBufferPointer<Float>
  let columnCount: Int

  /// The number of rows that a box takes if it is chosen by its best class.
  var classesPerDetection: Int { min(options.maxClassesPerDetection, options.classCount) }

  private func score(_ box: Int, _ category: Int) -> Float {
    scores[box * columnCount + columnCount - options.classCount + category]
  }

  // MARK: All classes at once

  /// Selects boxes by their best class and reports several classes of each.
  func bestOfAllClasses(_ context: RunContext) throws(ModelError) -> [Detection] {
    let anchors = try context.withScratch(Float.self, count: boxes.count) {
      best throws(ModelError) in
      for chunk in context.chunks(of: boxes.count, workOfEach: options.classCount) {
        for box in chunk { best[box] = score(box, bestClass(of: box, context)) }
      }
      return try suppress(scores: best, limit: options.maxDetections, context)
    }
    var detections: [Detection] = []
    for (index, anchor) in anchors.enumerated() {
      try context.checkpoint()
      for (column, category) in bestClasses(of: anchor, context).enumerated() {
        detections.append(
          Detection(
            row: index * options.maxClassesPerDetection + column, anchor: anchor,
            category: category, score: score(anchor, category)))
      }
    }
    return detections
  }

  /// Returns the first class with the highest score.
  private func bestClass(of box: Int, _ context: RunContext) -> Int {
    var best = 0
    forEachChunk(of: options.classCount, context.control) { chunk in
      for category in chunk {
        let (score, highest) = (score(box, category), score(box, best))
        if score > highest || (highest.isNaN && !score.isNaN) { best = category }
      }
    }
    return best
  }

  private func bestClasses(of box: Int, _ context: RunContext) -> [Int] {
    if classesPerDetection == 1 { return [bestClass(of: box, context)] }
    return BinaryHeap.first(classesPerDetection, of: 0..<options.classCount, context.control) {
      score(box, $0) > score(box, $1)
    }
  }

  // MARK: Class by class

  /// Selects boxes for each class, and returns the best of all classes in descending order.
  func bestOfEachClass(_ context: RunContext) throws(ModelError) -> [Detection] {
    let limit = min(options.detectionsPerClass, options.maxDetections)
    return try context.withScratch(Float.self, count: boxes.count) { scores throws(ModelError) in
      var best: [Detection] = []
      for category in 0..<options.classCount {
        try context.checkpoint()
        for chunk in context.chunks(of: boxes.count) {
          for box in chunk { scores[box] = score(box, category) }
        }
        let found = try suppress(scores: scores, limit: limit, context).map {
          Detection(row: 0, anchor: $0, category: category, score: scores[$0])
        }
        best = Array(Self.merge(best, found).prefix(options.maxDetections))
      }
      for row in best.indices { best[row].row = row }
      return best
    }
  }

  /// Merges two descending lists; at equal scores, those of `first` come first.
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

  /// Selects the boxes with the highest scores that do not overlap better ones too much.
  private func suppress(
    scores: UnsafeMutableBufferPointer<Float>, limit: Int, _ context: RunContext
  ) throws(ModelError) -> [Int] {
    try context.withScratch(Int.self, count: 2 * scores.count) { memory throws(ModelError) in
      var count = 0
      for chunk in context.chunks(of: scores.count) {
        for box in chunk where scores[box] >= options.scoreThreshold {
          memory[count] = box
          count += 1
        }
      }
      let candidates = Row(rebasing: memory[..<count])
      candidates.sort(in: Row(rebasing: memory[scores.count...]), context.control) {
        scores[$0] == scores[$1] ? $0 < $1 : scores[$0] > scores[$1]
      }
      try context.checkpoint()
      return try select(from: candidates, limit: limit, context)
    }
  }

  private func select(
    from candidates: Row<Int>, limit: Int, _ context: RunContext
  ) throws(ModelError) -> [Int] {
    try context.withScratch(Bool.self, count: candidates.count) {
      isSuppressed throws(ModelError) in
      var selected: [Int] = []
      for rank in candidates.indices where !isSuppressed[rank] {
        guard selected.count < limit else { break }
        try context.checkpoint()
        let box = candidates[rank]
        selected.append(box)
        let rest = candidates.count - rank - 1
        forEachChunk(of: rest, workOfEach: 4, context.control) { chunk in
          for other in chunk.lowerBound + rank + 1..<chunk.upperBound + rank + 1
          where !isSuppressed[other] {
            isSuppressed[other] =
              boxes[box].intersectionOverUnion(with: boxes[candidates[other]])
              > options.overlapThreshold
          }
        }
      }
      return selected
    }
  }
}
