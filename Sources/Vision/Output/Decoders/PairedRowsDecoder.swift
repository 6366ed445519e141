import OcellusEngine
import OcellusImaging

/// Decodes final boxes and their class scores in two outputs: YOLO, PP-YOLOE and DETR.
struct PairedRowsDecoder: DetectionDecoder {
  /// The boxes, in an output of shape [1, n, 4] or [1, 4, n].
  var boxes: OutputColumns
  /// The scores, in an output of shape [1, n, classes] or [1, classes, n].
  var scores: OutputColumns
  /// The keypoints, three numbers for each.
  var keypoints: OutputColumns?
  /// The layout of a box; `nil`: inferred from the boxes, of which there is one for each cell.
  var layout: BoxLayout?
  /// The size of the input, in pixels.
  var inputSize: PixelSize
  /// The activation of scores.
  var activation: ScoreActivation
  /// Whether the last column is the score of "no object".
  var endsWithNothing = false
  /// The name of the family.
  var name: String
  var suppression: Suppression
  var scoreThreshold: Float
  var inputConvention: PictureInput.Convention

  var categoryCount: Int? { endsWithNothing ? scores.count - 1 : scores.count }
  var summary: String { name }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let boxes = try boxes.rows(outputs)
    let rows = try scores.rows(outputs)
    let points = try keypoints?.rows(outputs)
    guard boxes.count == rows.count, points?.count ?? rows.count == rows.count else {
      throw .mismatched("there are \(boxes.count) boxes and \(rows.count) rows of scores")
    }
    let layout = layout ?? BoxLayout(ofCells: boxes, in: inputSize)
    let (best, categories) = rows.best(0..<(categoryCount ?? scores.count))
    return (0..<rows.count).compactMap { row in
      let score: Float
      switch activation {
      case .none: score = best[row]
      case .sigmoid: score = sigmoid(best[row])
      case .softmax:
        let total = (0..<scores.count).reduce(0) { $0 + exponential(rows[row, $1] - best[row]) }
        score = 1 / total
      }
      guard score >= threshold else { return nil }
      return Candidate(
        box: boxes.box(layout, row), category: categories[row], score: score,
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

extension BoxLayout {
  /// Infers the layout of boxes that a network reports for all of its cells.
  ///
  /// In edges, right is never below left. In centres and sizes, that would take an object of more
  /// than its distance from the left edge in every cell. Boxes may extend beyond the picture a
  /// little, but not by its whole size, so larger numbers are pixels.
  init(ofCells boxes: OutputRows, in size: PixelSize) {
    var (ordered, isInPixels) = (0, false)
    for row in 0..<boxes.count {
      if boxes[row, 2] >= boxes[row, 0], boxes[row, 3] >= boxes[row, 1] { ordered += 1 }
      if max(boxes[row, 2], boxes[row, 3]) > 2 { isInPixels = true }
    }
    self.init(
      kind: 100 * ordered >= 98 * boxes.count ? .edges : .center,
      width: isInPixels ? Double(size.width) : 1, height: isInPixels ? Double(size.height) : 1)
  }
}

/// YOLO-NAS, PP-YOLOE, YOLO v8 and others whose graph outputs finished boxes, one for each cell.
///
/// The boxes, the scores, and the coefficients of masks or the keypoints are in separate outputs.
enum DecodedBoxesFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard facts.anchors == nil,
      let parts = parts(facts), let boxes = boxes(among: parts, facts)
    else { return nil }
    var rest = parts
    rest.remove(at: boxes)
    var keypoints: OutputColumns?
    if rest.count == 2, let position = rest.firstIndex(where: { $0.isOfKeypoints(facts) }),
      rest[1 - position].count == 1 || facts.model.author?.keypointShape != nil
    {
      keypoints = rest.remove(at: position)
    }
    guard rest.count == 1, let scores = rest.first,
      facts.isProbability(scores.output) || parts.count > 2 || facts.hasPrototypes
    else { return nil }
    let isPair = facts.shapes.count == 2 && !parts[boxes].isPlanar
    var decoder = PairedRowsDecoder(
      boxes: parts[boxes], scores: scores, inputSize: facts.inputSize,
      activation: facts.model.graph.outputs[scores.output].ending == .linear ? .sigmoid : .none,
      name: isPair ? "YOLO-NAS rows" : "YOLO v8 boxes and scores",
      suppression: .perCategory(overlap: isPair ? 0.65 : 0.45), scoreThreshold: 0.25,
      inputConvention: isPair ? .init(normalization: .unit) : YOLORowsDecoder.usualConvention)
    decoder.keypoints = keypoints
    return .likely(decoder, source: "a box for each cell")
  }

  /// Returns the outputs with a row or a column for each cell, apart from coefficients of masks.
  ///
  /// `nil` if there are others, except prototypes of masks.
  private static func parts(_ facts: DetectorFacts) -> [OutputColumns]? {
    let cells = GridCell.count(in: facts.inputSize)
    var (parts, masks): ([OutputColumns], Int?) = ([], nil)
    for output in facts.model.originalOrder {
      let shape = facts.shapes[output]
      if let count = facts.prototypes(output), masks == nil {
        masks = count
        continue
      }
      guard shape.count == 3, shape[0] == 1, shape[1...].contains(cells) else { return nil }
      let isPlanar = shape[1] != cells
      let channels = isPlanar ? shape[1] : shape[2]
      parts.append(
        OutputColumns(output: output, count: channels, channels: channels, isPlanar: isPlanar))
    }
    guard let masks else { return parts.count == 2 || parts.count == 3 ? parts : nil }
    // The scores may have as many columns: they come before the coefficients.
    guard parts.count == 3,
      let position = parts.lastIndex(where: {
        $0.count == masks && !facts.isProbability($0.output)
      })
    else { return nil }
    parts.remove(at: position)
    return parts
  }

  private static func boxes(among parts: [OutputColumns], _ facts: DetectorFacts) -> Int? {
    parts.firstIndex { $0.count == 4 && !facts.isProbability($0.output) }
  }
}

extension DetectorFacts {
  /// Whether an output holds the prototypes of masks.
  fileprivate var hasPrototypes: Bool { shapes.indices.contains { prototypes($0) != nil } }
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
      inputSize: facts.inputSize,
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
