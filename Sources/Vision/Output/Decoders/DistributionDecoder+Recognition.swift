import OcellusEngine
import OcellusImaging

extension DistributionDecoder: DetectorFamily {
  /// The number of columns of a box: eight bins for each distance, as both families are trained.
  private static let boxColumns = 32

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    facts.shapes.count == 1 ? nanoDet(facts) : picoDet(facts)
  }

  /// NanoDet has one output: class scores, then distributions.
  private static func nanoDet(_ facts: DetectorFacts) -> Recognition? {
    guard let shape = facts.onlyShape, shape.count == 3, shape[0] == 1,
      let strides = strides(cells: shape[1], facts.inputSize)
    else { return nil }
    let columns = shape[2]
    let output = facts.model.graph.outputs[0]
    guard let parts = output.parts(ofColumns: columns), parts.count == 2,
      parts[0].ending == .sigmoid, parts[1].extent % 4 == 0, parts[1].ending == .linear
    else { return nil }
    let classes = parts[0].extent
    let decoder = DistributionDecoder(
      heads: [
        Head(
          cellCount: shape[1], scores: OutputColumns(output: 0, count: classes),
          boxes: OutputColumns(output: 0, first: classes, count: parts[1].extent))
      ],
      strides: strides, center: strides.count == 4 ? 0 : 0.5, activation: .none,
      inputSize: facts.inputSize, family: strides.count == 4 ? .nanoDetPlus : .nanoDet)
    return .likely(decoder, source: "the graph's last join")
  }

  /// PicoDet has an output of scores and one of distributions for each stride.
  private static func picoDet(_ facts: DetectorFacts) -> Recognition? {
    let shapes = facts.shapes
    let boxes = shapes.indices.filter { shapes[$0].count == 3 && shapes[$0][2] == boxColumns }
      .sorted { shapes[$0][1] > shapes[$1][1] }
    let scores = shapes.indices.filter { shapes[$0].count == 3 && shapes[$0][2] != boxColumns }
      .sorted { shapes[$0][1] > shapes[$1][1] }
    guard boxes.count >= 3, boxes.count == scores.count, boxes.count * 2 == shapes.count,
      zip(boxes, scores).allSatisfy({ shapes[$0][1] == shapes[$1][1] }),
      let strides = strides(
        cells: boxes.reduce(0) { $0 + shapes[$1][1] }, facts.inputSize),
      strides.count == boxes.count
    else { return nil }
    var firstCell = 0
    let heads = zip(scores, boxes).map { scores, boxes in
      defer { firstCell += shapes[boxes][1] }
      return Head(
        cellCount: shapes[boxes][1],
        scores: OutputColumns(output: scores, count: shapes[scores][2], firstCell: firstCell),
        boxes: OutputColumns(output: boxes, count: boxColumns, firstCell: firstCell))
    }
    let decoder = DistributionDecoder(
      heads: heads, strides: strides, activation: facts.activation(ofScores: scores),
      inputSize: facts.inputSize, family: .picoDet)
    return .likely(decoder, source: "the outputs' shapes")
  }

  private static func strides(cells: Int, _ size: PixelSize) -> [Int]? {
    [[8, 16, 32], [8, 16, 32, 64]].first {
      GridCell.count(in: size, strides: $0) == cells
    }
  }
}
