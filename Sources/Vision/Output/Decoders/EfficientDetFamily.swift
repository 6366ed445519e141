import OcellusImaging

/// EfficientDet without post-processing: boxes and class scores for each anchor.
///
/// They are in two outputs, or in a map of boxes and a map of scores for each level.
enum EfficientDetFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    let size = facts.inputSize
    let count = count(in: size)
    let outputs = AnchoredOutputs(facts).flatMap {
      $0.boxNumbers == 4 ? ($0.boxes, $0.scores) : nil
    }
    guard let (boxes, scores) = outputs ?? maps(facts),
      boxes.reduce(0, { $0 + elements(facts.shapes[$1]) }) == 4 * count, count > 0
    else { return nil }
    let anchors = Anchor.efficientDet(
      inputWidth: size.width, inputHeight: size.height, scale: scale(facts))
    let classes = scores.reduce(0) { $0 + elements(facts.shapes[$1]) } / count
    var decoder = AnchorDecoder(
      boxOutputs: boxes, scoreOutputs: scores, anchors: anchors,
      encoding: .logarithmic(center: 1, size: 1, rowsFirst: true),
      activation: facts.activation(ofScores: scores), hasBackground: false, name: "EfficientDet",
      suppression: .perCategory(overlap: 0.5), scoreThreshold: 0.4, categoryCount: classes)
    decoder.boxNumbers = 4
    decoder.customConvention = .init(normalization: .imageNet, fit: .letterbox(.corner))
    return .likely(decoder, source: "the number of boxes")
  }

  /// Returns the number of boxes for an input: nine for each cell.
  static func count(in size: PixelSize) -> Int {
    9 * GridCell.count(in: size, strides: [8, 16, 32, 64, 128])
  }

  /// The smallest anchor is three times the stride in Lite models, and four times in the others.
  private static func scale(_ facts: DetectorFacts) -> Float {
    facts.inputSize.width < 512 ? 3 : 4
  }

  /// Returns the maps of boxes and of scores for five levels, finest first, nine per cell.
  private static func maps(_ facts: DetectorFacts) -> (boxes: [Int], scores: [Int])? {
    let shapes = facts.shapes
    guard shapes.count == 10, shapes.allSatisfy({ $0.count == 4 && $0[0] == 1 }) else { return nil }
    func finestFirst(_ indices: [Int]) -> [Int] {
      indices.sorted { (shapes[$1][1], $0) < (shapes[$0][1], $1) }
    }
    let boxes = finestFirst(shapes.indices.filter { shapes[$0][3] == 36 })
    let scores = finestFirst(shapes.indices.filter { shapes[$0][3] != 36 })
    guard boxes.count == 5,
      zip(boxes, scores).allSatisfy({ shapes[$0].prefix(3) == shapes[$1].prefix(3) }),
      scores.allSatisfy({ shapes[$0][3] == shapes[scores[0]][3] && shapes[$0][3] % 9 == 0 })
    else { return nil }
    return (boxes, scores)
  }

  private static func elements(_ shape: [Int]) -> Int { shape.reduce(1, *) }
}
