import OcellusEngine
import OcellusImaging

/// YOLO's networks whose graph decodes boxes, one for each cell, and outputs scores apart from them.
///
/// YOLO-NAS and PP-YOLOE are exported so, and all YOLO networks for Qualcomm's accelerators (there
/// with the best class of each cell and its score). Coefficients of masks or keypoints may follow in
/// outputs of their own. Overlapping boxes are still to be suppressed.
enum CellBoxesFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition? {
    guard facts.anchors == nil, let outputs = CellOutputs(facts) else { return nil }
    let source = "a box for each cell"
    if outputs.hasMasks || outputs.keypoints != nil {
      guard outputs.scores.count == 1 else { return nil }
      return .likely(decoder(facts, outputs, scores: outputs.scores[0]), source: source)
    }
    if outputs.table == nil, outputs.scores.count == 2,
      !outputs.scores.allSatisfy({ facts.holdsProbabilities($0.output) })
    {
      guard let (roles, source) = try OutputRoles(facts: facts.model).find() else { return nil }
      let scores = OutputColumns(output: roles.scores, count: 1, channels: 1)
      return .certain(
        decoder(facts, outputs, scores: scores, categories: roles.categories), source: source)
    }
    // Logits would be those of a head before its boxes are decoded.
    guard let first = outputs.scores.first, outputs.scores.count <= 2,
      outputs.scores.allSatisfy({ facts.model.graph.outputs[$0.output].ending != .linear })
    else { return nil }
    let objectness = outputs.scores.dropFirst().first?.output
    let decoder = decoder(facts, outputs, scores: first, objectness: objectness)
    return objectness != nil
      ? .certain(decoder, source: source) : .likely(decoder, source: source)
  }

  private static func decoder(
    _ facts: DetectorFacts, _ outputs: CellOutputs, scores: OutputColumns, categories: Int? = nil,
    objectness: Int? = nil
  ) -> PairedRowsDecoder {
    let boxes = outputs.boxes.output
    let isInPixels = facts.isInPixels(boxes)
    let unit = isInPixels.map { $0 ? "in pixels " : "in fractions " } ?? ""
    let isPair = facts.shapes.count == 2
    let isLinear = facts.model.graph.outputs[scores.output].ending == .linear
    return PairedRowsDecoder(
      boxes: outputs.boxes, scores: scores, keypoints: outputs.keypoints, categories: categories,
      objectness: objectness,
      layout: facts.model.describedBoxLayout(ofOutput: boxes, inputSize: facts.inputSize),
      reading: BoxReading(
        inputSize: facts.inputSize, grid: outputs.grid, isInPixels: isInPixels, usual: .edges),
      activation: isLinear && categories == nil ? .sigmoid : .none,
      name: "boxes \(unit)and scores of \(outputs.rows) cells",
      suppression: .perCategory(overlap: isPair ? 0.65 : 0.45), scoreThreshold: 0.25,
      inputConvention: YOLORowsDecoder.usualConvention)
  }
}

/// Outputs with as many rows as a grid has cells: boxes, and scores, classes or keypoints in one or
/// two more, besides masks.
struct CellOutputs {
  /// The boxes.
  let boxes: OutputColumns
  /// The output with a score for each class.
  private(set) var table: OutputColumns?
  /// The outputs with scores or classes: that with a score for each class comes first.
  let scores: [OutputColumns]
  /// The keypoints, three numbers for each.
  private(set) var keypoints: OutputColumns?
  /// Whether there are coefficients and prototypes of masks.
  let hasMasks: Bool
  /// The number of boxes.
  let rows: Int
  /// The cells.
  let grid: RowGrid

  /// Finds the outputs; `nil` when there are others, or when there is no grid of so many cells.
  init?(_ facts: DetectorFacts) {
    let masks = facts.shapes.indices.lazy.compactMap { facts.prototypes($0) }.first
    hasMasks = masks != nil
    let outputs = facts.model.originalOrder.filter { facts.prototypes($0) == nil }
    guard (2...3).contains(outputs.count) else { return nil }
    func extents(_ output: Int) -> [Int] { facts.shapes[output].filter { $0 != 1 } }
    let candidates = outputs.filter { extents($0).count == 2 && extents($0).contains(4) }
    let found = candidates.lazy.compactMap { output -> (output: Int, rows: Int, grid: RowGrid)? in
      let rows = extents(output)[0] == 4 ? extents(output)[1] : extents(output)[0]
      return RowGrid(rows: rows, in: facts.inputSize).map { (output, rows, $0) }
    }
    // Of two outputs with four columns, probabilities are not the boxes.
    guard
      let first = found.first(where: { !facts.holdsProbabilities($0.output) }) ?? found.first
    else { return nil }
    (rows, grid) = (first.rows, first.grid)
    func columns(_ output: Int) -> OutputColumns {
      let count = extents(output).reduce(1, *) / first.rows
      let isPlanar = facts.shapes[output].last == first.rows && count > 1
      return OutputColumns(output: output, count: count, channels: count, isPlanar: isPlanar)
    }
    boxes = columns(first.output)
    let rest = outputs.filter { $0 != first.output }
    let vectors = rest.filter { extents($0) == [first.rows] }.map(columns)
    var tables = rest.filter { extents($0).count == 2 && extents($0).contains(first.rows) }
      .map(columns)
    guard tables.count + vectors.count == rest.count else { return nil }
    if let masks {
      // The scores may have as many columns: they come before the coefficients.
      guard
        let position = tables.lastIndex(where: {
          $0.count == masks && !facts.isProbability($0.output)
        })
      else { return nil }
      tables.remove(at: position)
    } else if rest.count == 2,
      let position = tables.firstIndex(where: {
        $0.isOfKeypoints(facts) && !facts.holdsProbabilities($0.output)
      }),
      vectors.count == 1 || facts.model.author?.keypointShape != nil
    {
      keypoints = tables.remove(at: position)
    }
    guard tables.count <= 1 else { return nil }
    table = tables.first
    scores = tables + vectors
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
