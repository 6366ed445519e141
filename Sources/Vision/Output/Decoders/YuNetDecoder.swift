import OcellusImaging

/// Decodes the faces of YuNet's 2023 version.
///
/// For each of three strides there are the class score, the objectness, the box, and five
/// keypoints.
struct YuNetDecoder: DetectionDecoder {
  /// The outputs of one stride.
  struct Level: Hashable {
    var stride: Int
    var classes: Int
    var objectness: Int
    var boxes: Int
    var keypoints: Int
  }

  var levels: [Level]
  var inputSize: PixelSize

  var categoryCount: Int? { 1 }
  var summary: String { "YuNet faces" }
  var suppression: Suppression { .perCategory(overlap: 0.3) }
  var scoreThreshold: Float { 0.6 }
  /// Bytes in BGR order.
  var inputConvention: PictureInput.Convention {
    .init(normalization: PictureTensor.Normalization.none, channels: .bgr)
  }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    var found: [Candidate] = []
    for level in levels {
      let cells = GridCell.all(in: inputSize, strides: [level.stride])
      let boxes = try OutputRows(outputs[level.boxes], columns: 4)
      let points = try OutputRows(outputs[level.keypoints], columns: 10)
      let (classes, objectness) = (outputs[level.classes], outputs[level.objectness])
      guard
        [boxes.count, points.count, classes.count, objectness.count].allSatisfy({
          $0 == cells.count
        })
      else { throw .mismatched("YuNet has \(cells.count) cells of stride \(level.stride)") }
      for (row, cell) in cells.enumerated() {
        let score = (classes[row].clamped * objectness[row].clamped).squareRoot()
        guard score >= threshold else { continue }
        found.append(
          Candidate(
            box: cell.box(
              x: boxes[row, 0], y: boxes[row, 1], width: exponential(boxes[row, 2]),
              height: exponential(boxes[row, 3]), in: inputSize), category: 0, score: score,
            keypoints: (0..<5).map {
              cell.point(x: points[row, 2 * $0], y: points[row, 2 * $0 + 1], in: inputSize)
            }, origin: .init(cell, index: row)))
      }
    }
    return found
  }
}

extension Float {
  /// The number clamped to 0…1.
  fileprivate var clamped: Float { Swift.min(Swift.max(self, 0), 1) }
}

extension YuNetDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    facts.shapes.count == 12 ? current(facts) : nil
  }

  private static func current(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    var levels: [Level] = []
    for stride in [8, 16, 32] {
      let cells = GridCell.count(in: facts.inputSize, strides: [stride])
      let mine = shapes.indices.filter { shapes[$0].count == 3 && shapes[$0][1] == cells }
      guard mine.count == 4, let boxes = mine.first(where: { shapes[$0][2] == 4 }),
        let points = mine.first(where: { shapes[$0][2] == 10 })
      else { return nil }
      // The two are multiplied, so their order does not matter.
      let scores = mine.filter { shapes[$0][2] == 1 }
      guard scores.count == 2 else { return nil }
      levels.append(
        Level(
          stride: stride, classes: scores[0], objectness: scores[1], boxes: boxes,
          keypoints: points))
    }
    return .likely(
      YuNetDecoder(levels: levels, inputSize: facts.inputSize), source: "the outputs' shapes")
  }
}
