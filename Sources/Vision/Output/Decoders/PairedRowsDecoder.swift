import OcellusEngine
import OcellusImaging

/// Decodes final boxes and their class scores in two outputs: YOLO-NAS, PP-YOLOE and DETR.
struct PairedRowsDecoder: DetectionDecoder {
  /// The output of shape [1, n, 4].
  var boxes: Int
  /// The output of shape [1, n, classes], or [1, classes, n].
  var scores: Int
  /// The number of columns of scores.
  var columns: Int
  /// Whether the classes are in the dimension before the last.
  var isTransposed = false
  /// The layout of a box.
  var layout: BoxLayout
  /// The activation of scores.
  var activation: ScoreActivation
  /// Whether the last column is the score of "no object".
  var endsWithNothing = false
  /// The name of the family.
  var name: String
  var suppression: Suppression
  var scoreThreshold: Float
  var inputConvention: PictureInput.Convention

  var categoryCount: Int? { endsWithNothing ? columns - 1 : columns }
  var summary: String { name }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let boxes = try OutputRows(outputs[boxes], columns: 4)
    let rows = try OutputRows(outputs[scores], columns: columns, isTransposed: isTransposed)
    guard boxes.count == rows.count else {
      throw .mismatched("there are \(boxes.count) boxes and \(rows.count) rows of scores")
    }
    let classes = 0..<(categoryCount ?? columns)
    let (best, categories) = rows.best(classes)
    return (0..<rows.count).compactMap { row in
      let score: Float
      switch activation {
      case .none: score = best[row]
      case .sigmoid: score = sigmoid(best[row])
      case .softmax:
        let total = (0..<columns).reduce(0) { $0 + exponential(rows[row, $1] - best[row]) }
        score = 1 / total
      }
      guard score >= threshold else { return nil }
      return Candidate(
        box: boxes.box(layout, row), category: categories[row], score: score,
        origin: .init(index: row))
    }
  }
}

/// YOLO-NAS, PP-YOLOE and others whose graph outputs boxes in pixels, one for each cell.
enum DecodedBoxesFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let pair = BoxesAndScores(facts), pair.ending(facts) == .sigmoid,
      facts.anchors == nil,
      pair.rows == GridCell.count(in: facts.inputSize)
    else { return nil }
    let decoder = PairedRowsDecoder(
      boxes: pair.boxes, scores: pair.scores, columns: pair.columns,
      isTransposed: pair.isTransposed,
      layout: BoxLayout(
        kind: .edges, width: Double(facts.inputSize.width), height: Double(facts.inputSize.height)),
      activation: .none, name: "YOLO-NAS rows", suppression: .perCategory(overlap: 0.65),
      scoreThreshold: 0.25, inputConvention: .init(normalization: .unit))
    return .likely(decoder, source: "a box in pixels for each cell")
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
      boxes: pair.boxes, scores: pair.scores, columns: pair.columns, layout: .center,
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
