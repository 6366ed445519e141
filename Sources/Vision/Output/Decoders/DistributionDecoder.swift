import OcellusImaging

/// Decodes boxes given by distributions of edge distances: NanoDet, PicoDet, and YOLO v8 cut short.
struct DistributionDecoder: DetectionDecoder {
  /// The families, which differ in what they are trained on.
  enum Family: String {
    case nanoDet = "NanoDet"
    case nanoDetPlus = "NanoDet-Plus"
    case picoDet = "PicoDet"
    /// YOLO v8 and its successors, cut off before the last layers, which compute the boxes.
    case yolo = "YOLO v8 heads"
  }

  /// The columns of consecutive cells.
  struct Head {
    /// The number of cells.
    var cellCount: Int
    var scores: OutputColumns
    var boxes: OutputColumns
    /// The columns of keypoints, three numbers for each.
    var keypoints: OutputColumns?
  }

  /// The heads; the cells of several heads are concatenated.
  var heads: [Head]
  /// The strides of the grids whose cells the rows belong to.
  var strides: [Int]
  /// The point in a cell from which distances are measured: 0.5 is its centre.
  var center: Float = 0.5
  /// The activation of scores.
  var activation: ScoreActivation
  /// The size of the input, in pixels.
  var inputSize: PixelSize
  var family: Family

  /// The number of classes.
  var categoryCount: Int? { heads.first?.scores.count }
  /// A description of the family.
  var summary: String {
    "\(family.rawValue), strides \(strides.map(String.init).joined(separator: " "))"
      + (heads.first?.keypoints.map { ", with \($0.count / 3) keypoints" } ?? "")
  }
  /// The defaults of the families' evaluations.
  var suppression: Suppression { .perCategory(overlap: family == .yolo ? 0.45 : 0.6) }
  /// The defaults of the families' demonstrations.
  var scoreThreshold: Float { family == .yolo ? 0.25 : 0.35 }

  /// ImageNet's mean and deviation, except for YOLO; NanoDet takes BGR pictures.
  var inputConvention: PictureInput.Convention {
    switch family {
    case .yolo: YOLORowsDecoder.usualConvention
    case .picoDet: .init(normalization: .imageNet)
    case .nanoDet, .nanoDetPlus:
      .init(
        normalization: .init(mean: [103.53, 116.28, 123.675], deviation: [57.375, 57.12, 58.395]),
        channels: .bgr)
    }
  }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let cells = GridCell.all(in: inputSize, strides: strides)
    var found: [Candidate] = []
    var firstCell = 0
    for head in heads {
      let range = firstCell..<firstCell + head.cellCount
      firstCell = range.upperBound
      let scores = try head.scores.rows(outputs)
      let boxes = try head.boxes.rows(outputs)
      let points = try head.keypoints?.rows(outputs)
      guard range.upperBound <= cells.count,
        scores.has(range, head.scores), boxes.has(range, head.boxes),
        head.keypoints.map({ points?.has(range, $0) == true }) ?? true
      else { throw .mismatched("\(family.rawValue) has \(cells.count) cells at \(inputSize)") }
      let (best, categories) = scores.best(head.scores.range)
      for cell in range {
        let row = cell - head.scores.firstCell
        let score = activation == .sigmoid ? sigmoid(best[row]) : best[row]
        guard score >= threshold else { continue }
        var candidate = Candidate(
          box: box(in: cells[cell], boxes, cell - head.boxes.firstCell, head.boxes),
          category: categories[row], score: score, origin: .init(cells[cell], index: cell))
        if let points, let columns = head.keypoints {
          candidate.keypoints = keypoints(
            in: cells[cell], points, cell - columns.firstCell, columns)
        }
        found.append(candidate)
      }
    }
    return found
  }

  private func box(
    in cell: GridCell, _ rows: OutputRows, _ row: Int, _ columns: OutputColumns
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

  /// Returns the keypoints of a cell: YOLO v8 stores half their distance from the cell's corner.
  private func keypoints(
    in cell: GridCell, _ rows: OutputRows, _ row: Int, _ columns: OutputColumns
  ) -> [PixelPoint] {
    stride(from: columns.first, to: columns.first + columns.count - 2, by: 3).map {
      cell.point(x: 2 * rows[row, $0], y: 2 * rows[row, $0 + 1], in: inputSize)
    }
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

extension OutputRows {
  /// Whether the rows include those of a range of cells.
  fileprivate func has(_ cells: Range<Int>, _ columns: OutputColumns) -> Bool {
    cells.lowerBound >= columns.firstCell && cells.upperBound - columns.firstCell <= count
  }
}
