import OcellusEngine
import OcellusImaging

/// Decodes the maps of YOLO v2 to v4 and their small variants.
///
/// Each cell has, for every anchor, the position, the size, the objectness and the class scores,
/// all as logits.
public struct YOLOMapDecoder: DetectionDecoder {
  /// An output map, with its anchors.
  public struct Map: Hashable, Sendable {
    /// The index of the output of shape [1, rows, columns, anchors × (5 + classes)].
    public var output: Int
    /// The sizes of the anchors, in fractions of the input.
    public var anchors: [Anchor]

    /// Creates a map from an output and the anchors of each of its cells.
    public init(output: Int, anchors: [Anchor]) {
      self.output = output
      self.anchors = anchors
    }
  }

  /// The maps.
  public var maps: [Map]
  /// The number of classes.
  public var classes: Int
  /// Whether classes exclude each other (softmax, as in YOLO v2) or are independent (sigmoid).
  public var classesAreExclusive: Bool

  /// Creates a decoder for these maps.
  public init(maps: [Map], classes: Int, classesAreExclusive: Bool = false) {
    self.maps = maps
    self.classes = classes
    self.classesAreExclusive = classesAreExclusive
  }

  /// The number of classes.
  public var categoryCount: Int? { classes }

  /// A description of the family.
  public var summary: String {
    "YOLO maps, \(maps.count) of them with \(maps.first?.anchors.count ?? 0) anchors each"
  }

  /// Darknet's training: values from 0 to 1.
  public var inputConvention: PictureInput.Convention { .init(normalization: .unit) }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    var found: [Candidate] = []
    var originCount = 0
    for map in maps {
      let output = outputs[map.output]
      let shape = output.shape
      guard shape.count == 4, shape[3] == map.anchors.count * (5 + classes) else {
        throw .mismatched("the output '\(output.name)' is no map with these anchors and classes")
      }
      for cell in 0..<shape[1] * shape[2] {
        for (index, anchor) in map.anchors.enumerated() {
          let start = (cell * map.anchors.count + index) * (5 + classes)
          let numbers = UnsafeBufferPointer(rebasing: output.values[start..<start + 5 + classes])
          let cellAnchor = Anchor(
            x: Float(cell % shape[2]), y: Float(cell / shape[2]), width: anchor.width,
            height: anchor.height)
          let origin = Candidate.Origin(
            index: originCount, column: cell % shape[2], row: cell / shape[2])
          originCount += 1
          add(
            numbers, at: cellAnchor, origin, columns: shape[2], rows: shape[1], threshold,
            to: &found)
        }
      }
    }
    return found
  }

  private func add(
    _ numbers: UnsafeBufferPointer<Float>, at cell: Anchor, _ origin: Candidate.Origin,
    columns: Int, rows: Int,
    _ threshold: Float, to found: inout [Candidate]
  ) {
    let objectness = sigmoid(numbers[4])
    guard objectness >= threshold else { return }
    let largest = (5..<5 + classes).map { numbers[$0] }.max() ?? 0
    let total =
      classesAreExclusive
      ? (5..<5 + classes).reduce(0) { $0 + exponential(numbers[$1] - largest) } : 1
    for category in 0..<classes {
      let raw = numbers[5 + category]
      let likelihood = classesAreExclusive ? exponential(raw - largest) / total : sigmoid(raw)
      guard objectness * likelihood >= threshold else { continue }
      let width = Double(exponential(numbers[2]) * cell.width)
      let height = Double(exponential(numbers[3]) * cell.height)
      let x = Double((sigmoid(numbers[0]) + cell.x) / Float(columns))
      let y = Double((sigmoid(numbers[1]) + cell.y) / Float(rows))
      found.append(
        Candidate(
          box: BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height),
          category: category, score: objectness * likelihood, origin: origin))
    }
  }
}

extension YOLOMapDecoder: DetectorFamily {
  private static func misfit(_ count: Int, _ facts: DetectorFacts) -> Recognition {
    .resembles(
      "they resemble YOLO's maps, but \(count) anchors do not fit \(facts.shapes.count) of them with "
        + "\(facts.shapes[0][3]) channels")
  }

  /// Recognizes maps with YOLO's strides and channels for three or five anchors in each cell.
  private static func resemblance(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    let isGrid = shapes.allSatisfy { shape in
      [8, 16, 32].contains {
        shape[1] * $0 == facts.inputSize.height && shape[2] * $0 == facts.inputSize.width
      }
    }
    let channels = shapes[0][3]
    guard isGrid, [3, 5].contains(where: { channels % $0 == 0 && channels / $0 > 5 }),
      facts.model.graph.outputs.allSatisfy({ !$0.isProbability })
    else { return nil }
    return .resembles(
      "they resemble YOLO's maps, whose anchors are not in the model: say which they are, as widths "
        + "and heights in pixels (anchors in the options, --anchors FILE)")
  }

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    guard !shapes.isEmpty,
      shapes.allSatisfy({ $0.count == 4 && $0[0] == 1 && $0[3] == shapes[0][3] })
    else { return nil }
    guard case .sizes(let sizes)? = facts.anchors else { return resemblance(facts) }
    guard sizes.count % shapes.count == 0 else { return misfit(sizes.count, facts) }
    let (perMap, channels) = (sizes.count / shapes.count, shapes[0][3])
    guard perMap > 0, channels % perMap == 0, channels / perMap > 5 else {
      return misfit(sizes.count, facts)
    }
    let anchors = sizes.map { size in
      Anchor(
        x: 0, y: 0, width: Float(size.x) / Float(facts.inputSize.width),
        height: Float(size.y) / Float(facts.inputSize.height))
    }
    // Anchors are listed in ascending order of size; small ones belong to the map with the most
    // cells.
    let finestFirst = shapes.indices.sorted {
      (shapes[$1][1] * shapes[$1][2], $0) < (shapes[$0][1] * shapes[$0][2], $1)
    }
    let maps = finestFirst.enumerated().map { position, output in
      Map(output: output, anchors: Array(anchors[position * perMap..<(position + 1) * perMap]))
    }
    let decoder = YOLOMapDecoder(
      maps: maps, classes: channels / perMap - 5, classesAreExclusive: maps.count == 1)
    return .likely(decoder, source: "the anchors given")
  }
}
