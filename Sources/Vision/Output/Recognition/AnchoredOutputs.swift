import OcellusEngine

/// Outputs of boxes and of scores that belong together, row by row.
struct AnchoredOutputs {
  /// The outputs with box numbers.
  private(set) var boxes: [Int] = []
  /// The outputs with the scores of these boxes.
  private(set) var scores: [Int] = []
  /// The number of boxes in all outputs.
  private(set) var rows = 0
  /// How many numbers a box has.
  private(set) var boxNumbers = 0
  /// How many scores a box has.
  private(set) var scoreColumns = 0

  /// Pairs outputs [1, n, 4 or more] with outputs [1, n, classes]; the one with more rows first.
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

  /// Which of two outputs with as many rows holds the boxes.
  private static func boxes(among pair: [Int], _ facts: DetectorFacts) -> Int? {
    let shapes = facts.shapes
    let named = pair.filter {
      facts.model.output($0, isCalled: ["box", "loc", "regress"]) && shapes[$0][2] >= 4
    }
    if named.count == 1 { return named[0] }
    let wide = pair.filter { shapes[$0][2] >= 4 }
    if wide.count == 1 { return wide[0] }
    let notProbable = wide.filter { !facts.isProbability($0) && shapes[$0][2] == 4 }
    return notProbable.count == 1 ? notProbable[0] : nil
  }
}

extension DetectorFacts {
  /// Whether scores in all of these outputs are probabilities already, or have to be made so.
  func activation(ofScores outputs: [Int]) -> ScoreActivation {
    outputs.allSatisfy(isProbability) ? .none : .sigmoid
  }
}
