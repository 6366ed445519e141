import OcellusEngine
import OcellusImaging

/// Decodes final boxes and their scores in separate outputs: YOLO, PP-YOLOE, DETR, and exports of
/// YOLO's networks for accelerators.
struct PairedRowsDecoder: DetectionDecoder {
  /// The boxes, in an output of shape [1, n, 4] or [1, 4, n].
  var boxes: OutputColumns
  /// The scores, in an output of shape [1, n, classes] or [1, classes, n].
  var scores: OutputColumns
  /// The keypoints, three numbers for each.
  var keypoints: OutputColumns?
  /// The output with the class of each row, if scores are those of the best classes only.
  var categories: Int?
  /// The output with the probability that there is an object, by which scores are multiplied.
  var objectness: Int?
  /// The layout of a box; `nil`: found in the numbers.
  var layout: BoxLayout?
  /// How to find the layout.
  var reading: BoxReading?
  /// The activation of scores.
  var activation: ScoreActivation
  /// Whether the last column is the score of "no object".
  var endsWithNothing = false
  /// The name of the family.
  var name: String
  var suppression: Suppression
  var scoreThreshold: Float
  var inputConvention: PictureInput.Convention

  var categoryCount: Int? {
    categories != nil ? nil : endsWithNothing ? scores.count - 1 : scores.count
  }
  var summary: String { name }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let boxes = try boxes.rows(outputs)
    let rows = try scores.rows(outputs)
    let points = try keypoints?.rows(outputs)
    let given = categories.map { outputs[$0] }
    let objectness = objectness.map { outputs[$0] }
    let counts = [boxes.count, points?.count, given?.count, objectness?.count].compactMap { $0 }
    guard counts.allSatisfy({ $0 == rows.count }) else {
      throw .mismatched("there are \(boxes.count) boxes and \(rows.count) rows of scores")
    }
    let layout = layout ?? reading?.layout(of: boxes) ?? BoxLayout(kind: .edges)
    let (best, categories) = rows.best(0..<(categoryCount ?? scores.count))
    return (0..<rows.count).compactMap { row in
      var score: Float
      switch activation {
      case .none: score = best[row]
      case .sigmoid: score = sigmoid(best[row])
      case .softmax:
        let total = (0..<scores.count).reduce(0) { $0 + exponential(rows[row, $1] - best[row]) }
        score = 1 / total
      }
      if let objectness { score *= objectness[row] }
      guard score >= threshold,
        let category = given.map({ Int(exactly: $0[row].rounded()) }) ?? categories[row]
      else { return nil }
      return Candidate(
        box: boxes.box(layout, row), category: category, score: score,
        keypoints: points.map { keypoints(in: $0, row, layout) } ?? [], origin: .init(index: row))
    }
  }
}

extension PairedRowsDecoder {
  private func keypoints(
    in rows: OutputRows, _ row: Int, _ layout: BoxLayout
  ) -> [PixelPoint] {
    stride(from: 0, to: rows.columns - 2, by: 3).map {
      PixelPoint(
        x: Double(rows[row, $0]) / layout.width, y: Double(rows[row, $0 + 1]) / layout.height)
    }
  }
}

/// DETR and its successors: a fixed number of boxes in fractions, without suppression.
enum DETRFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    // Only this family limits boxes to 0…1 by a sigmoid.
    guard let pair = BoxesAndScores(facts), pair.columns >= 2, (10...1000).contains(pair.rows),
      facts.model.graph.outputs[pair.boxes].ending == .sigmoid, !pair.isTransposed
    else { return nil }
    // The first DETR has a "no object" class; models with sigmoids do not need it.
    let isFirst = pair.ending(facts) != .sigmoid && pair.rows <= 100
    let decoder = PairedRowsDecoder(
      boxes: OutputColumns(output: pair.boxes, count: 4),
      scores: OutputColumns(output: pair.scores, count: pair.columns), layout: .center,
      activation: facts.isProbability(pair.scores) ? .none : isFirst ? .softmax : .sigmoid,
      endsWithNothing: isFirst || pair.ending(facts) == .softmax,
      name: isFirst ? "DETR boxes" : "RT-DETR boxes", suppression: .none, scoreThreshold: 0.5,
      inputConvention: .init(normalization: isFirst ? .imageNet : .unit))
    return .likely(decoder, source: "the sigmoid of the boxes")
  }
}

/// Two outputs with equal numbers of rows, one of them with four columns.
struct BoxesAndScores {
  let boxes: Int
  let scores: Int
  let rows: Int
  let columns: Int
  /// Whether the classes of the scores are in the dimension before the last.
  let isTransposed: Bool

  init?(_ facts: DetectorFacts) {
    let shapes = facts.shapes
    guard shapes.count == 2, shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else { return nil }
    guard
      let boxes = shapes.indices.first(where: { index in
        shapes[index][2] == 4 && shapes[1 - index][1...].contains(shapes[index][1])
      })
    else { return nil }
    let scores = 1 - boxes
    (self.boxes, self.scores, rows) = (boxes, scores, shapes[boxes][1])
    isTransposed = shapes[scores][1] != rows
    columns = shapes[scores][isTransposed ? 1 : 2]
  }

  /// Returns the kind of operator that the scores come from.
  func ending(_ facts: DetectorFacts) -> OutputFacts.Ending {
    facts.model.graph.outputs[scores].ending
  }
}
