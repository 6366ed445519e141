import OcellusEngine
import OcellusImaging

/// RetinaFace: boxes, two class scores and five keypoints for each anchor, in three outputs or one.
enum RetinaFaceFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    if facts.shapes.count == 1 { return joined(facts) }
    guard let levels = levels(facts) else { return nil }
    let areProbabilities = levels.allSatisfy { facts.isProbability($0[1]) }
    return .likely(
      decoder(facts.inputSize, levels, areProbabilities: areProbabilities),
      source: "the outputs' shapes")
  }

  private static func decoder(
    _ size: PixelSize, _ levels: [[Int]], areProbabilities: Bool
  ) -> AnchorDecoder {
    let scores = levels.map { $0[1] }
    let anchors = Anchor.retinaFace(inputWidth: size.width, inputHeight: size.height)
    var decoder = AnchorDecoder(
      boxOutputs: levels.map { $0[0] }, scoreOutputs: scores, anchors: anchors,
      encoding: .logarithmic(center: 10, size: 5, rowsFirst: false),
      activation: areProbabilities ? .none : .softmax, hasBackground: true,
      name: "RetinaFace", suppression: .perCategory(overlap: 0.4), scoreThreshold: 0.5,
      categoryCount: 1)
    decoder.keypointOutputs = levels.map { $0[2] }
    decoder.boxNumbers = 4
    // The means of Caffe's networks, in BGR order.
    decoder.customConvention = .init(
      normalization: .init(mean: [104, 117, 123], deviation: [1, 1, 1]), channels: .bgr)
    return decoder
  }
}

extension RetinaFaceFamily {
  /// The numbers of a row: a box, two scores, five keypoints.
  private static let columns = [4, 2, 10]

  /// Recognizes one output that joins the rows of the three, in an order that the graph shows.
  private static func joined(_ facts: DetectorFacts) -> Recognition? {
    let rows = 2 * GridCell.count(in: facts.inputSize, strides: [8, 16, 32])
    let width = columns.reduce(0, +)
    guard facts.onlyShape == [1, rows, width],
      let parts = facts.model.graph.outputs[0].parts(ofColumns: width),
      parts.map(\.extent).sorted() == columns.sorted()
    else { return nil }
    var (first, found): (Int, [Int: OutputColumns]) = (0, [:])
    for part in parts {
      found[part.extent] = OutputColumns(output: 0, first: first, count: part.extent)
      first += part.extent
    }
    let areProbabilities = parts.contains {
      $0.extent == 2 && [.softmax, .sigmoid].contains($0.ending)
    }
    return .likely(
      JoinedColumnsDecoder(
        decoder: decoder(facts.inputSize, [[0, 1, 2]], areProbabilities: areProbabilities),
        parts: columns.compactMap { found[$0] }),
      source: "the graph's last join")
  }

  /// Returns the outputs of boxes, scores and keypoints, for all strides together or for each one.
  private static func levels(_ facts: DetectorFacts) -> [[Int]]? {
    let counts = [8, 16, 32].map { GridCell.count(in: facts.inputSize, strides: [$0]) }
    if let joined = FaceOutputs(facts, columns: Self.columns, rows: 2 * counts.reduce(0, +)) {
      return [(0..<3).map { joined[$0] }]
    }
    guard facts.shapes.count == 9 else { return nil }
    let levels = [8, 16, 32].compactMap { stride -> [Int]? in
      let (rows, columns) = (
        (facts.inputSize.height + stride - 1) / stride,
        (facts.inputSize.width + stride - 1) / stride
      )
      let outputs = Self.columns.compactMap { count in
        facts.shapes.firstIndex {
          $0 == [1, rows, columns, 2 * count] || $0 == [1, 2 * rows * columns, count]
        }
      }
      return outputs.count == 3 ? outputs : nil
    }
    return levels.count == 3 ? levels : nil
  }
}

/// AIZOO's detector of faces with and without masks: an SSD with its own anchors and no background.
enum MaskedFaceFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    let size = facts.inputSize
    guard facts.anchors == nil, let outputs = AnchoredOutputs(facts), outputs.boxNumbers == 4,
      outputs.boxes.count == 1, outputs.scoreColumns == 2,
      facts.model.graph.outputs[outputs.scores[0]].ending == .sigmoid,
      outputs.rows >= 4 * (size.width / 8) * (size.height / 8)
    else { return nil }
    let anchors = Anchor.maskedFaces(inputWidth: size.width, inputHeight: size.height)
    guard anchors.count == outputs.rows else { return nil }
    var decoder = AnchorDecoder(
      boxOutputs: outputs.boxes, scoreOutputs: outputs.scores, anchors: anchors,
      encoding: .logarithmic(center: 10, size: 5, rowsFirst: false), activation: .none,
      hasBackground: false, name: "faces with and without masks",
      suppression: .agnostic(overlap: 0.4), scoreThreshold: 0.5, categoryCount: 2)
    decoder.customConvention = .init(normalization: .unit)
    return .likely(decoder, source: "the number of boxes")
  }
}

/// YuNet's first version: boxes with keypoints, two class scores, and box quality.
enum YuNetFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    let size = facts.inputSize
    // A cheap lower bound is checked before the anchors are generated, as the size may be huge.
    guard let rows = facts.shapes.first(where: { $0.last == 14 })?.dropLast().last,
      3 * (size.width / 8 - 1) * (size.height / 8 - 1) <= rows
    else { return nil }
    let anchors = Anchor.yuNet(inputWidth: size.width, inputHeight: size.height)
    guard rows == anchors.count,
      let outputs = FaceOutputs(facts, columns: [14, 2, 1], rows: rows)
    else { return nil }
    var decoder = AnchorDecoder(
      boxOutputs: [outputs[0]], scoreOutputs: [outputs[1]], anchors: anchors,
      encoding: .logarithmic(center: 10, size: 5, rowsFirst: false),
      activation: facts.isProbability(outputs[1]) ? .none : .softmax, hasBackground: true,
      name: "YuNet", suppression: .perCategory(overlap: 0.3), scoreThreshold: 0.6,
      categoryCount: 1)
    decoder.qualityOutputs = [outputs[2]]
    decoder.customConvention = .init(
      normalization: PictureTensor.Normalization.none, channels: .bgr)
    return .likely(decoder, source: "the outputs' shapes")
  }
}

/// Three outputs with equal numbers of rows, identified by their numbers of columns.
private struct FaceOutputs {
  private let outputs: [Int]

  init?(_ facts: DetectorFacts, columns: [Int], rows: Int) {
    let shapes = facts.shapes.map { Array($0.drop { $0 == 1 }) }
    guard shapes.count == columns.count else { return nil }
    let outputs = columns.compactMap { count in
      shapes.firstIndex { $0 == [rows, count] || count == 1 && $0 == [rows] }
    }
    guard outputs.count == columns.count, Set(outputs).count == columns.count else { return nil }
    self.outputs = outputs
  }

  subscript(position: Int) -> Int { outputs[position] }
}
