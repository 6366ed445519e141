import OcellusEngine

/// Pairs of outputs with boxes and with their scores, row by row.
struct AnchoredOutputs {
  /// The outputs with encoded boxes.
  private(set) var boxes: [Int] = []
  /// The outputs with the scores of the boxes.
  private(set) var scores: [Int] = []
  /// The number of boxes in all outputs.
  private(set) var rows = 0
  /// The number of elements of a box.
  private(set) var boxNumbers = 0
  /// The number of scores of a box.
  private(set) var scoreColumns = 0

  /// Pairs outputs [1, n, 4 or more] with outputs [1, n, classes], in descending order of n.
  init?(_ facts: DetectorFacts) {
    let shapes = facts.shapes
    guard shapes.count % 2 == 0, shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else {
      return nil
    }
    for rows in Set(shapes.map { $0[1] }).sorted(by: >) {
      let both = shapes.indices.filter { shapes[$0][1] == rows }
      guard both.count == 2, let boxes = Self.boxes(among: both, facts) else { return nil }
      let scores = both[0] == boxes ? both[1] : both[0]
      self.boxes.append(boxes)
      self.scores.append(scores)
      self.rows += rows
      (boxNumbers, scoreColumns) = (shapes[boxes][2], shapes[scores][2])
    }
  }

  /// Returns which of two outputs with equal numbers of rows holds the boxes.
  private static func boxes(among pair: [Int], _ facts: DetectorFacts) -> Int? {
    let shapes = facts.shapes
    let named = pair.filter {
      facts.model.output($0, isCalled: ["box", "loc", "regress"]) && shapes[$0][2] >= 4
    }
    if named.count == 1 { return named[0] }
    let candidates = pair.filter { shapes[$0][2] >= 4 }
    if candidates.count == 1 { return candidates[0] }
    let notProbable = candidates.filter { !facts.isProbability($0) && shapes[$0][2] == 4 }
    return notProbable.count == 1 ? notProbable[0] : nil
  }
}

extension DetectorFacts {
  /// Returns the activation of these outputs: none if all are probabilities already, else sigmoid.
  func activation(ofScores outputs: [Int]) -> ScoreActivation {
    outputs.allSatisfy(isProbability) ? .none : .sigmoid
  }
}
