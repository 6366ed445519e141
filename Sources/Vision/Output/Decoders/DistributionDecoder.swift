import OcellusEngine
import OcellusImaging

/// Decodes boxes given by distributions of edge distances: NanoDet and PicoDet.
struct DistributionDecoder: DetectionDecoder {
  /// A range of columns of an output.
  struct Columns: Hashable, Sendable {
    /// The index of the output.
    var output: Int
    /// The first column.
    var first: Int
    /// The number of columns.
    var count: Int

    /// Creates the range of `count` columns of an output, from `first` on.
    init(output: Int, first: Int = 0, count: Int) {
      self.output = output
      self.first = first
      self.count = count
    }
  }

  /// The columns of scores and of boxes; rows of several heads are concatenated.
  var heads: [(scores: Columns, boxes: Columns)]
  /// The strides of the grids whose cells the rows belong to.
  var strides: [Int]
  /// The point in a cell from which distances are measured: 0.5 is its centre.
  var center: Float
  /// The activation of scores.
  var activation: ScoreActivation
  /// The size of the input, in pixels.
  var inputSize: PixelSize
  /// The name of the family.
  var name: String

  /// The number of classes.
  var categoryCount: Int? { heads.first?.scores.count }
  /// A description of the family.
  var summary: String { "\(name), strides \(strides.map(String.init).joined(separator: " "))" }
  /// The default of both families' evaluations.
  var suppression: Suppression { .perCategory(overlap: 0.6) }
  /// The default of NanoDet's demonstrations.
  var scoreThreshold: Float { 0.35 }

  /// ImageNet's mean and deviation; NanoDet takes BGR pictures.
  var inputConvention: PictureInput.Convention {
    name == "PicoDet"
      ? .init(normalization: .imageNet)
      : .init(
        normalization: .init(mean: [103.53, 116.28, 123.675], deviation: [57.375, 57.12, 58.395]),
        channels: .bgr)
  }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let cells = GridCell.all(in: inputSize, strides: strides)
    var found: [Candidate] = []
    var firstCell = 0
    for head in heads {
      let scores = try OutputRows(outputs[head.scores.output])
      let boxes = try OutputRows(outputs[head.boxes.output])
      guard scores.count == boxes.count, firstCell + scores.count <= cells.count,
        head.scores.first + head.scores.count <= scores.columns,
        head.boxes.first + head.boxes.count <= boxes.columns
      else {
        throw .mismatched("\(name) has \(cells.count) cells at \(inputSize)")
      }
      let (best, categories) = scores.best(
        head.scores.first..<head.scores.first + head.scores.count)
      for row in 0..<scores.count {
        let score = activation == .sigmoid ? sigmoid(best[row]) : best[row]
        guard score >= threshold else { continue }
        found.append(
          Candidate(
            box: box(in: cells[firstCell + row], boxes, row, head.boxes),
            category: categories[row], score: score,
            origin: .init(cells[firstCell + row], index: firstCell + row)))
      }
      firstCell += scores.count
    }
    return found
  }

  private func box(
    in cell: GridCell, _ rows: OutputRows, _ row: Int, _ columns: Columns
  ) -> BoundingBox {
    let bins = columns.count / 4
    let distances = (0..<4).map { side in
      mean(rows, row, columns.first + side * bins..<columns.first + (side + 1) * bins)
    }
    let (x, y) = (
      center + (distances[2] - distances[0]) / 2, center + (distances[3] - distances[1]) / 2
    )
    return cell.box(
      x: x, y: y, width: distances[0] + distances[2], height: distances[1] + distances[3],
      in: inputSize)
  }

  /// Returns the mean of a distribution over 0, 1, 2, …, given as logits.
  private func mean(_ rows: OutputRows, _ row: Int, _ columns: Range<Int>) -> Float {
    let largest = columns.reduce(-Float.infinity) { max($0, rows[row, $1]) }
    var (total, sum): (Float, Float) = (0, 0)
    for column in columns {
      let weight = exponential(rows[row, column] - largest)
      total += weight
      sum += weight * Float(column - columns.lowerBound)
    }
    return sum / total
  }
}

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
        (
          Columns(output: 0, count: classes),
          Columns(output: 0, first: classes, count: parts[1].extent)
        )
      ],
      strides: strides, center: strides.count == 4 ? 0 : 0.5, activation: .none,
      inputSize: facts.inputSize, name: strides.count == 4 ? "NanoDet-Plus" : "NanoDet")
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
    let decoder = DistributionDecoder(
      heads: zip(scores, boxes).map {
        (Columns(output: $0, count: shapes[$0][2]), Columns(output: $1, count: boxColumns))
      },
      strides: strides, center: 0.5, activation: facts.activation(ofScores: scores),
      inputSize: facts.inputSize, name: "PicoDet")
    return .likely(decoder, source: "the outputs' shapes")
  }

  private static func strides(cells: Int, _ size: PixelSize) -> [Int]? {
    [[8, 16, 32], [8, 16, 32, 64]].first {
      GridCell.count(in: size, strides: $0) == cells
    }
  }
}
