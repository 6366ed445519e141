import OcellusEngine
import OcellusImaging

/// Decodes a heat map of classes with the background first, as in FOMO.
///
/// Neighbouring cells of the same class form one object, whose box encloses the cells.
public struct CentroidDecoder: DetectionDecoder {
  /// The number of classes, without the background.
  public var categoryCount: Int?

  /// Creates a decoder for a map of this many classes and the background.
  public init(categoryCount: Int) { self.categoryCount = categoryCount }

  /// A description of the family.
  public var summary: String { "heat map of centres (FOMO)" }
  /// None: the grouping of cells already separates objects.
  public var suppression: Suppression { .none }
  /// 0.5, as in the models' own programs.
  public var scoreThreshold: Float { 0.5 }

  /// Edge Impulse's training: values from 0 to 1.
  public var inputConvention: PictureInput.Convention { .init(normalization: .unit) }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let map = outputs[0]
    guard map.shape.count == 4, map.shape[3] >= 2 else {
      throw .mismatched("the output '\(map.name)' is not a map of classes")
    }
    var regions = CellRegions(columns: map.shape[2], rows: map.shape[1])
    let channels = map.shape[3]
    return (1..<channels).flatMap { category in
      regions.find { cell in
        let score = map[cell * channels + category]
        return score >= threshold ? score : nil
      }
      .map { Candidate(box: $0.box, category: category - 1, score: $0.score) }
    }
  }
}

/// Connected groups of cells of a grid.
private struct CellRegions {
  let columns: Int
  let rows: Int
  private var isVisited: [Bool]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    isVisited = []
  }

  /// Returns each group of cells with a score: its best score, and the box around it in fractions.
  mutating func find(score: (Int) -> Float?) -> [(box: BoundingBox, score: Float)] {
    isVisited = [Bool](repeating: false, count: columns * rows)
    var found: [(box: BoundingBox, score: Float)] = []
    for cell in 0..<columns * rows where !isVisited[cell] && score(cell) != nil {
      found.append(grow(from: cell, score: score))
    }
    return found
  }

  private mutating func grow(
    from start: Int, score: (Int) -> Float?
  ) -> (box: BoundingBox, score: Float) {
    var (box, best) = (self.box(of: start), -Float.infinity)
    var waiting = [start]
    isVisited[start] = true
    while let cell = waiting.popLast() {
      box = box.union(self.box(of: cell))
      best = max(best, score(cell) ?? best)
      for neighbour in neighbours(of: cell) where !isVisited[neighbour] && score(neighbour) != nil {
        isVisited[neighbour] = true
        waiting.append(neighbour)
      }
    }
    return (box, best)
  }

  private func neighbours(of cell: Int) -> [Int] {
    let (column, row) = (cell % columns, cell / columns)
    return (max(row - 1, 0)...min(row + 1, rows - 1)).flatMap { y in
      (max(column - 1, 0)...min(column + 1, columns - 1)).map { y * columns + $0 }
    }
  }

  private func box(of cell: Int) -> BoundingBox {
    BoundingBox(x: Double(cell % columns), y: Double(cell / columns), width: 1, height: 1)
      .scaled(x: 1 / Double(columns), y: 1 / Double(rows))
  }
}

extension CentroidDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    // Each cell is one of the classes or background, so the output must be a softmax over all of
    // them.
    guard facts.anchors == nil, let shape = facts.onlyShape, shape.count == 4, shape[0] == 1,
      shape[3] >= 2, shape[1] <= facts.inputSize.height / 4,
      facts.model.graph.outputs[0].ending == .softmax
    else { return nil }
    return .likely(CentroidDecoder(categoryCount: shape[3] - 1), source: "the outputs' shapes")
  }
}
