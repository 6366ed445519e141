import OcellusEngine
import OcellusImaging

/// Decodes a heat map of the centres of objects and maps of their sizes: CenterNet and DBFace.
struct CenterMapDecoder: DetectionDecoder {
  /// The encoding of a cell's box, in units of cells.
  enum Sizes: Hashable {
    /// Width and height; the centre's offset from the cell's corner is in another output.
    case widthAndHeight(offsets: Int)
    /// Distances of the four edges from the cell, clockwise from left; keypoints are separate.
    case edges(keypoints: Int)
  }

  /// The output of shape [1, rows, columns, classes].
  var heat: Int
  /// The output with the sizes of the boxes.
  var boxes: Int
  var sizes: Sizes
  /// The activation that turns heat into probabilities.
  var activation: ScoreActivation
  var classes: Int

  var categoryCount: Int? { classes }
  var summary: String {
    if case .edges = sizes { "DBFace maps" } else { "CenterNet maps" }
  }
  /// Selecting local maxima takes the place of suppression.
  var suppression: Suppression { .none }
  var scoreThreshold: Float { 0.3 }
  /// Both take BGR pictures, with means and deviations of their own.
  var inputConvention: PictureInput.Convention {
    .init(
      normalization: .init(
        mean: [104.04, 113.985, 119.85], deviation: [73.695, 69.87, 70.89]), channels: .bgr)
  }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let map = outputs[heat]
    guard map.shape.count == 4, map.shape[3] == classes else {
      throw .mismatched("the output '\(map.name)' is not a map of \(classes) classes")
    }
    let (rows, columns) = (map.shape[1], map.shape[2])
    for (output, channels) in companions {
      guard outputs[output].count == rows * columns * channels else {
        throw .mismatched("the maps '\(map.name)' and '\(outputs[output].name)' are of two sizes")
      }
    }
    let limit = activation == .sigmoid ? logit(threshold) : threshold
    var found: [Candidate] = []
    for cell in 0..<rows * columns {
      for category in 0..<classes {
        let raw = map[cell * classes + category]
        guard raw >= limit, isPeak(map, cell, category) else { continue }
        let (x, y) = (cell % columns, cell / columns)
        let (box, points) = decode(outputs, cell, x: Float(x), y: Float(y))
        let scale = (x: 1 / Double(columns), y: 1 / Double(rows))
        found.append(
          Candidate(
            box: box.scaled(x: scale.x, y: scale.y), category: category,
            score: activation == .sigmoid ? sigmoid(raw) : raw,
            keypoints: points.map { PixelPoint(x: $0.x * scale.x, y: $0.y * scale.y) },
            origin: .init(index: cell, column: x, row: y)))
      }
    }
    return found
  }

  /// The other maps, with the number of channels of each.
  private var companions: [(output: Int, channels: Int)] {
    switch sizes {
    case .widthAndHeight(let offsets): [(boxes, 2), (offsets, 2)]
    case .edges(let keypoints): [(boxes, 4), (keypoints, 10)]
    }
  }

  /// Whether none of the eight neighbouring cells has a higher value.
  private func isPeak(_ map: OutputTensor, _ cell: Int, _ category: Int) -> Bool {
    let (rows, columns) = (map.shape[1], map.shape[2])
    let (x, y) = (cell % columns, cell / columns)
    let value = map[cell * classes + category]
    return (max(y - 1, 0)...min(y + 1, rows - 1)).allSatisfy { row in
      (max(x - 1, 0)...min(x + 1, columns - 1)).allSatisfy { column in
        map[(row * columns + column) * classes + category] <= value
      }
    }
  }

  /// Returns the box and the keypoints of a cell, in units of cells from the corner of the map.
  private func decode(
    _ outputs: [OutputTensor], _ cell: Int, x: Float, y: Float
  ) -> (BoundingBox, [PixelPoint]) {
    let numbers = outputs[boxes]
    switch sizes {
    case .widthAndHeight(let offsets):
      let (width, height) = (Double(numbers[2 * cell]), Double(numbers[2 * cell + 1]))
      let (x, y) = (
        Double(x + outputs[offsets][2 * cell]), Double(y + outputs[offsets][2 * cell + 1])
      )
      return (BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height), [])
    case .edges(let keypoints):
      let edges = (0..<4).map { numbers[4 * cell + $0] }
      let box = BoundingBox(
        left: Double(x - edges[0]), top: Double(y - edges[1]), right: Double(x + edges[2]),
        bottom: Double(y + edges[3]))
      let points = outputs[keypoints]
      return (
        box,
        (0..<5).map { index in
          PixelPoint(
            x: Double(x + Self.stretched(4 * points[10 * cell + index])),
            y: Double(y + Self.stretched(4 * points[10 * cell + 5 + index])))
        }
      )
    }
  }

  /// DBFace stores the distances of keypoints as signed logarithms, but small ones linearly.
  private static func stretched(_ value: Float) -> Float {
    if abs(value) < 1 { return value * exponential(Float(1)) }
    return value > 0 ? exponential(value) : -exponential(-value)
  }
}

extension CenterMapDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    guard shapes.count == 3, shapes.allSatisfy({ $0.count == 4 && $0[0] == 1 }),
      shapes.allSatisfy({ $0[1] == shapes[0][1] && $0[2] == shapes[0][2] }),
      shapes[0][1] * 4 == facts.inputSize.height, shapes[0][2] * 4 == facts.inputSize.width
    else { return nil }
    let channels = shapes.map { $0[3] }
    func output(_ count: Int) -> Int? { channels.firstIndex(of: count) }
    func activation(_ heat: Int) -> ScoreActivation {
      facts.model.graph.outputs[heat].ending == .linear ? .sigmoid : .none
    }
    if let heat = output(1), let boxes = output(4), let points = output(10) {
      return .likely(
        CenterMapDecoder(
          heat: heat, boxes: boxes, sizes: .edges(keypoints: points), activation: activation(heat),
          classes: 1), source: "the outputs' shapes")
    }
    let pairs = channels.indices.filter { channels[$0] == 2 }
    // Names distinguish sizes from offsets; without such names, the order of computation does.
    guard pairs.count == 2, let heat = channels.firstIndex(where: { $0 != 2 }) else { return nil }
    let sizesAreLast =
      facts.model.output(pairs[1], isCalled: ["wh", "size"])
      || facts.model.output(pairs[0], isCalled: ["reg", "off"])
    let (sizes, offsets) = sizesAreLast ? (pairs[1], pairs[0]) : (pairs[0], pairs[1])
    return .likely(
      CenterMapDecoder(
        heat: heat, boxes: sizes, sizes: .widthAndHeight(offsets: offsets),
        activation: activation(heat), classes: channels[heat]), source: "the outputs' shapes")
  }
}
