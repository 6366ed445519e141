import OcellusEngine
import OcellusImaging

/// Decodes boxes relative to anchors that the network outputs as well, as ST's SSD does.
struct CarriedAnchorsDecoder: DetectionDecoder {
  /// The scores of the classes, the first of which is the background.
  var scores: OutputColumns
  /// The offsets of the boxes.
  var boxes: OutputColumns
  /// The anchors.
  ///
  /// Without names, it is checked whether they are exchanged with the boxes.
  var anchors: OutputColumns
  /// Whether names tell anchors from offsets.
  var isNamed: Bool
  var activation: ScoreActivation

  var categoryCount: Int? { scores.count - 1 }
  var summary: String { "SSD that outputs its anchors" }
  var suppression: Suppression { .perCategory(overlap: 0.5) }
  var scoreThreshold: Float { 0.4 }
  var inputConvention: PictureInput.Convention { .init(normalization: .signedUnit) }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let scores = try Rows(scores, outputs)
    var (boxes, anchors) = (try Rows(boxes, outputs), try Rows(anchors, outputs))
    guard scores.count == boxes.count, scores.count == anchors.count else {
      throw .mismatched("there are \(boxes.count) boxes and \(anchors.count) anchors")
    }
    if !isNamed, boxes.areAnchors, !anchors.areAnchors { swap(&boxes, &anchors) }
    let haveEdges = anchors.haveEdges
    var found: [Candidate] = []
    for row in 0..<scores.count {
      let numbers = (0..<scores.width).map { scores[row, $0] }
      let probabilities = activated(numbers)
      for category in 1..<scores.width where probabilities[category] >= threshold {
        let four = { (rows: Rows) in (0..<4).map { Double(rows[row, $0]) } }
        found.append(
          Candidate(
            box: haveEdges
              ? Self.shifted(four(anchors), by: four(boxes))
              : Self.scaled(four(anchors), by: four(boxes)),
            category: category - 1, score: probabilities[category], origin: .init(index: row)))
      }
    }
    return found
  }

  private func activated(_ values: [Float]) -> [Float] {
    switch activation {
    case .none: return values
    case .sigmoid: return values.map(sigmoid)
    case .softmax:
      let powers = values.map { exponential($0 - (values.max() ?? 0)) }
      let total = powers.reduce(0, +)
      return powers.map { $0 / total }
    }
  }

  /// Returns a box whose edges are shifted from those of an anchor, in units of its size.
  private static func shifted(_ anchor: [Double], by offsets: [Double]) -> BoundingBox {
    let (width, height) = (anchor[2] - anchor[0], anchor[3] - anchor[1])
    return BoundingBox(
      left: anchor[0] + offsets[0] * width, top: anchor[1] + offsets[1] * height,
      right: anchor[2] + offsets[2] * width, bottom: anchor[3] + offsets[3] * height)
  }

  /// Returns a box relative to an anchor's centre and size, by SSD's usual encoding.
  private static func scaled(_ anchor: [Double], by offsets: [Double]) -> BoundingBox {
    let (width, height) = (
      anchor[2] * exponential(offsets[2] / 5), anchor[3] * exponential(offsets[3] / 5)
    )
    return BoundingBox(
      x: anchor[0] + offsets[0] / 10 * anchor[2] - width / 2,
      y: anchor[1] + offsets[1] / 10 * anchor[3] - height / 2, width: width, height: height)
  }

  /// Some columns of an output.
  private struct Rows {
    let rows: OutputRows
    let first: Int
    let width: Int

    init(_ columns: OutputColumns, _ outputs: [OutputTensor]) throws(VisionError) {
      rows = try columns.rows(outputs)
      (first, width) = (columns.first, columns.count)
    }

    var count: Int { rows.count }

    subscript(row: Int, column: Int) -> Float { rows[row, first + column] }

    /// Whether the numbers are left, top, right and bottom of boxes.
    var haveEdges: Bool {
      (0..<count).allSatisfy { self[$0, 2] > self[$0, 0] && self[$0, 3] > self[$0, 1] }
    }

    /// Whether the numbers can be anchors: edges, or centres in the picture and positive sizes.
    var areAnchors: Bool {
      haveEdges
        || (0..<count).allSatisfy { row in
          (0..<2).allSatisfy { (0...1).contains(self[row, $0]) && self[row, $0 + 2] > 0 }
        }
    }
  }
}

extension CarriedAnchorsDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    facts.shapes.count == 1 ? joined(facts) : separate(facts)
  }

  /// Recognizes three outputs: scores, boxes and anchors of equally many rows.
  private static func separate(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    guard shapes.count == 3, shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }),
      shapes.allSatisfy({ $0[1] == shapes[0][1] }), shapes[0][1] > 1
    else { return nil }
    // Scores may have four columns as well.
    let scores =
      shapes.indices.filter { shapes[$0][2] != 4 }.first
      ?? shapes.indices.first(where: facts.isProbability)
    guard let scores, shapes[scores][2] >= 2 else { return nil }
    let fours = shapes.indices.filter { $0 != scores && shapes[$0][2] == 4 }
    guard fours.count == 2 else { return nil }
    let named = fours.filter { facts.model.output($0, isCalled: ["anchor", "prior"]) }
    let anchors = named.count == 1 ? named[0] : fours[1]
    let boxes = fours[0] == anchors ? fours[1] : fours[0]
    return .likely(
      CarriedAnchorsDecoder(
        scores: OutputColumns(output: scores, count: shapes[scores][2]),
        boxes: OutputColumns(output: boxes, count: 4),
        anchors: OutputColumns(output: anchors, count: 4), isNamed: named.count == 1,
        activation: facts.isProbability(scores) ? .none : .softmax),
      source: named.count == 1 ? "the outputs' names" : "the outputs' shapes")
  }

  /// Recognizes one output with the columns of scores, boxes and anchors.
  private static func joined(_ facts: DetectorFacts) -> Recognition? {
    guard let shape = facts.onlyShape, shape.count == 3, shape[0] == 1,
      let parts = facts.model.graph.outputs[0].parts(ofColumns: shape[2]), parts.count == 3,
      parts[0].extent >= 2, parts[1].extent == 4, parts[2].extent == 4
    else { return nil }
    let classes = parts[0].extent
    return .likely(
      CarriedAnchorsDecoder(
        scores: OutputColumns(output: 0, count: classes),
        boxes: OutputColumns(output: 0, first: classes, count: 4),
        anchors: OutputColumns(output: 0, first: classes + 4, count: 4), isNamed: false,
        activation: [.softmax, .sigmoid].contains(parts[0].ending) ? .none : .softmax),
      source: "the graph's last join")
  }
}
