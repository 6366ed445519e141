import OcellusEngine
import OcellusImaging
import OcellusPlatform

/// Decodes FastestDet's single map: objectness, box and class scores for every cell.
struct FastestDetDecoder: DetectionDecoder {
  /// The number of classes.
  var classes: Int

  /// Creates a decoder for a map of this many classes.
  init(classes: Int) { self.classes = classes }

  /// The number of classes.
  var categoryCount: Int? { classes }
  /// A description of the family.
  var summary: String { "FastestDet map" }
  /// The default of its own program.
  var scoreThreshold: Float { 0.65 }

  /// Its own program's preprocessing: BGR, stretched.
  var inputConvention: PictureInput.Convention {
    .init(normalization: .unit, channels: .bgr)
  }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let map = outputs[0]
    guard map.shape.count == 4 else {
      throw .mismatched("the output '\(map.name)' is not a map of cells")
    }
    let isTransposed = map.shape[3] != 5 + classes
    let (rows, columns) =
      isTransposed ? (map.shape[2], map.shape[3]) : (map.shape[1], map.shape[2])
    let cells = try OutputRows(map, channels: 5 + classes, isPlanar: isTransposed)
    let (scores, categories) = cells.best(5..<5 + classes)
    return (0..<cells.count).compactMap { cell in
      // The family weights objectness more than the class score.
      let score = power(cells[cell, 0], 0.6) * power(scores[cell], 0.4)
      guard score >= threshold else { return nil }
      let x = Double((tanhf(cells[cell, 1]) + Float(cell % columns)) / Float(columns))
      let y = Double((tanhf(cells[cell, 2]) + Float(cell / columns)) / Float(rows))
      let (width, height) = (
        Double(sigmoid(cells[cell, 3])), Double(sigmoid(cells[cell, 4]))
      )
      return Candidate(
        box: BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height),
        category: categories[cell], score: score,
        origin: .init(index: cell, column: cell % columns, row: cell / columns))
    }
  }

  private func power(_ base: Float, _ exponent: Float) -> Float { powf(max(base, 0), exponent) }
}

extension FastestDetDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let shape = facts.onlyShape, shape.count == 4, shape[0] == 1 else { return nil }
    let output = facts.model.graph.outputs[0]
    for columns in [shape[3], shape[1]] {
      guard let parts = output.parts(ofColumns: columns), parts.count == 3,
        parts.map(\.extent) == [1, 4, columns - 5], parts[0].ending == .sigmoid,
        parts[2].ending == .softmax || parts[2].extent == 1
      else { continue }
      return .certain(FastestDetDecoder(classes: columns - 5), source: "the graph's last join")
    }
    return nil
  }
}
