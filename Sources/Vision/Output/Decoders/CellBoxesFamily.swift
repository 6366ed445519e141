import OcellusEngine
import OcellusImaging

/// YOLO's networks whose graph decodes boxes, one for each cell, and outputs scores apart from them.
///
/// YOLO-NAS and PP-YOLOE are exported so, and all YOLO networks for Qualcomm's accelerators (there
/// with the best class of each cell and its score). Overlapping boxes are still to be suppressed.
enum CellBoxesFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition? {
    guard facts.anchors == nil, let outputs = CellOutputs(facts) else { return nil }
    let probable = outputs.vectors.filter(facts.holdsProbabilities)
    if outputs.vectors.count == 2, probable.count < 2 {
      guard let (roles, source) = try OutputRoles(facts: facts.model).find() else { return nil }
      return .certain(
        decoder(facts, outputs, scores: roles.scores, categories: roles.categories),
        source: source)
    }
    // Logits would be those of a head before its boxes are decoded.
    let scores = ([outputs.table].compactMap { $0 } + outputs.vectors)
    guard let first = scores.first, scores.count <= 2,
      scores.allSatisfy({ facts.model.graph.outputs[$0].ending != .linear })
    else { return nil }
    let decoder = decoder(
      facts, outputs, scores: first, objectness: scores.dropFirst().first)
    let source = "a box for each cell"
    return scores.count == 2
      ? .certain(decoder, source: source) : .likely(decoder, source: source)
  }

  private static func decoder(
    _ facts: DetectorFacts, _ outputs: CellOutputs, scores: Int, categories: Int? = nil,
    objectness: Int? = nil
  ) -> PairedRowsDecoder {
    let isTransposed = scores == outputs.table && facts.shapes[scores].last == outputs.rows
    let isInPixels = facts.isInPixels(outputs.boxes)
    let unit = isInPixels.map { $0 ? "in pixels " : "in fractions " } ?? ""
    return PairedRowsDecoder(
      boxes: outputs.boxes, areBoxesTransposed: facts.shapes[outputs.boxes].last != 4,
      scores: scores, columns: facts.shapes[scores].reduce(1, *) / outputs.rows,
      isTransposed: isTransposed, categories: categories, objectness: objectness,
      layout: facts.model.describedBoxLayout(
        ofOutput: outputs.boxes, inputSize: facts.inputSize),
      reading: BoxReading(
        inputSize: facts.inputSize, grid: outputs.grid,
        isInPixels: isInPixels, usual: .edges),
      activation: .none, name: "boxes \(unit)and scores of \(outputs.rows) cells",
      suppression: .perCategory(overlap: categories == nil && objectness == nil ? 0.65 : 0.45),
      scoreThreshold: 0.25, inputConvention: YOLORowsDecoder.usualConvention)
  }
}

/// Outputs with as many rows as a grid has cells: boxes, and scores or classes in one or two more.
struct CellOutputs {
  /// The output with the boxes.
  let boxes: Int
  /// The output with a score for each class.
  let table: Int?
  /// The outputs with one number for each box.
  let vectors: [Int]
  /// The number of boxes.
  let rows: Int
  /// The cells.
  let grid: RowGrid

  /// Finds the outputs; `nil` when there are others, or when there is no grid of so many cells.
  init?(_ facts: DetectorFacts) {
    let shapes = facts.shapes
    let extents = shapes.map { $0.filter { $0 != 1 } }
    guard (2...3).contains(shapes.count) else { return nil }
    let candidates = extents.indices.filter { extents[$0].count == 2 && extents[$0].contains(4) }
    let found = candidates.lazy.compactMap { index -> (boxes: Int, rows: Int, grid: RowGrid)? in
      let rows = extents[index][0] == 4 ? extents[index][1] : extents[index][0]
      return RowGrid(rows: rows, in: facts.inputSize).map { (index, rows, $0) }
    }
    // Of two outputs with four columns, probabilities are not the boxes.
    guard let first = found.first(where: { !facts.holdsProbabilities($0.boxes) }) ?? found.first
    else { return nil }
    (boxes, rows, grid) = first
    let rest = extents.indices.filter { $0 != first.boxes }
    vectors = rest.filter { extents[$0] == [first.rows] }
    let tables = rest.filter { extents[$0].count == 2 && extents[$0].contains(first.rows) }
    table = tables.first
    guard tables.count <= 1, tables.count + vectors.count == rest.count else { return nil }
  }
}

extension DetectorFacts {
  /// Whether the elements of an output are probabilities, as the graph or their range shows.
  func holdsProbabilities(_ output: Int) -> Bool {
    if isProbability(output) { return true }
    let facts = model.graph.outputs[output]
    guard let rounding = facts.rounding, facts.ending != .linear else { return false }
    return (0.5...1.1).contains(rounding.highest)
  }

  /// Whether the boxes of an output are in pixels of the input, as the range of their integers
  /// shows; `nil` if they are floats, or the range says nothing.
  func isInPixels(_ output: Int) -> Bool? {
    guard let rounding = model.graph.outputs[output].rounding else { return nil }
    let side = Float(max(inputSize.width, inputSize.height))
    // Boxes reach the far edges; classes in the same tensor may be larger than fractions are.
    if rounding.highest >= 0.7 * side { return true }
    return rounding.highest <= min(0.5 * side, 128) ? false : nil
  }
}
