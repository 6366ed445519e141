import OcellusEngine
import OcellusImaging

/// How the outputs of a pose model say where points are; in all of them in fractions of the input.
enum PoseForm: Sendable, Equatable {
  /// Rows of y, x and a score, one for each point (MoveNet).
  case rows(output: Int, points: Int)
  /// Rows of as many for each body, behind them its box and score (MoveNet, several bodies).
  case bodies(output: Int, points: Int)
  /// A list of numbers for each point, x and y first, in pixels of the input or in fractions (MediaPipe).
  case list(output: Int, numbers: Int, presence: Int?)
  /// A map for each point, highest where it is; and with offsets from there (PoseNet).
  case heatMaps(output: Int, offsets: Int?)

  /// Points of one thing in fractions of the input, with their scores.
  struct Finding {
    var points: [(position: PixelPoint, score: Float?)]
    var score: Float?
  }

  /// How many numbers lists of known models have for a point, by their length: faces, hands, bodies.
  private static let knownLists = [
    1404: 3, 1434: 3, 63: 3, 195: 5, 165: 5, 136: 2, 196: 2, 212: 2,
  ]
  private static let listWords = ["landmark", "keypoint", "mesh", "points", "joints"]

  /// The form that the outputs show; `numbers` of a point in a list, where the caller says it.
  init?(_ facts: ModelFacts, inputSize: PixelSize, numbers: Int?) {
    let shapes = facts.outputs.map { $0.shape.dimensions }
    let extents = shapes.map { $0.filter { $0 != 1 } }
    if extents.count == 1, extents[0].count == 2, extents[0][1] == 3, extents[0][0] <= 200 {
      self = .rows(output: 0, points: extents[0][0])
    } else if shapes.count == 1, shapes[0].count == 3, shapes[0][2] == 17 * 3 + 5 {
      self = .bodies(output: 0, points: 17)
    } else if let list = Self.list(facts, extents, numbers) {
      let presence = extents.indices.first { extents[$0].isEmpty }
      self = .list(output: list.output, numbers: list.numbers, presence: presence)
    } else if let maps = Self.heatMaps(shapes, inputSize) {
      self = .heatMaps(output: maps.scores, offsets: maps.offsets)
    } else {
      return nil
    }
  }

  private static func list(
    _ facts: ModelFacts, _ extents: [[Int]], _ numbers: Int?
  ) -> (output: Int, numbers: Int)? {
    let lists = extents.indices.filter {
      extents[$0].count == 1 && !facts.graph.outputs[$0].isProbability
    }
    // Parts of a face may have lists of their own beside that of the whole.
    guard
      let output = lists.max(by: {
        extents[$0][0] < extents[$1][0] || ($0 > $1 && extents[$0][0] == extents[$1][0])
      })
    else { return nil }
    let length = extents[output][0]
    if let numbers { return length.isMultiple(of: numbers) ? (output, numbers) : nil }
    if let known = knownLists[length] { return (output, known) }
    let name = (facts.signatureNames[output] ?? facts.outputs[output].name).lowercased()
    guard listWords.contains(where: { name.contains($0) }) else { return nil }
    switch (length.isMultiple(of: 2), length.isMultiple(of: 3)) {
    case (true, false): return (output, 2)
    case (false, true): return (output, 3)
    default: return nil
    }
  }

  private static func heatMaps(
    _ shapes: [[Int]], _ inputSize: PixelSize
  ) -> (scores: Int, offsets: Int?)? {
    let maps = shapes.indices.filter { index in
      let shape = shapes[index]
      return shape.count == 4 && shape[0] == 1 && min(shape[1], shape[2]) >= 5
        && 2 * shape[1] <= inputSize.height && (4...300).contains(shape[3])
    }
    guard let scores = maps.min(by: { shapes[$0][3] < shapes[$1][3] }) else { return nil }
    let offsets = maps.first { shapes[$0][3] == 2 * shapes[scores][3] }
    // Several maps of other kinds would be some other family's.
    return shapes.count == 1 || offsets != nil ? (scores, offsets) : nil
  }

  /// The number of points, by the outputs' shapes.
  func pointCount(_ facts: ModelFacts) -> Int {
    switch self {
    case .rows(_, let points), .bodies(_, let points): points
    case .list(let output, let numbers, _): facts.outputs[output].shape.elementCount / numbers
    case .heatMaps(let output, _): facts.outputs[output].shape[-1]
    }
  }

  /// The form in words.
  func words(_ facts: ModelFacts) -> String {
    let count = "\(pointCount(facts)) points"
    return switch self {
    case .rows: "\(count), a row of y, x and score for each"
    case .bodies: "rows of \(count), for several bodies"
    case .list(_, let numbers, _): "\(count), \(numbers) numbers for each"
    case .heatMaps(_, let offsets):
      "\(count), a map for each\(offsets == nil ? "" : ", with offsets")"
    }
  }
}
