import OcellusImaging

/// Decodes a heat map of the centres of objects and maps of their sizes: CenterNet and its relatives.
///
/// DBFace and Qualcomm's light face detector have the same maps, with other numbers for keypoints.
struct CenterMapDecoder: DetectionDecoder {
  /// The encoding of a cell's box, in units of cells.
  enum Sizes: Hashable {
    /// Width and height; the centre's offset from the cell's corner is in another output.
    case widthAndHeight(offsets: Int)
    /// The logarithms of height and width; y and x of the centre's offset from the cell's centre, and
    /// of keypoints in fractions of the box, are in other outputs.
    case logarithms(offsets: Int, keypoints: Int)
    /// Distances of the four edges from the cell, clockwise from left; those of keypoints are in another
    /// output, as signed logarithms or plainly.
    case edges(keypoints: Int, areLogarithms: Bool)
  }

  /// The output of shape [1, rows, columns, classes], or [1, classes, rows, columns] in planes.
  var heat: Int
  /// The output with the sizes of the boxes.
  var boxes: Int
  var sizes: Sizes
  /// The activation that turns heat into probabilities.
  var activation: ScoreActivation
  var classes: Int
  /// Whether the channels of all maps come before their rows.
  var isPlanar = false

  var categoryCount: Int? { classes }
  var summary: String {
    switch sizes {
    case .widthAndHeight: "CenterNet maps"
    case .logarithms: "CenterFace maps"
    case .edges(_, areLogarithms: true): "DBFace maps"
    case .edges: "Qualcomm's face maps"
    }
  }
  /// Selecting local maxima takes the place of suppression, except where equal ones are neighbours.
  var suppression: Suppression {
    hasCloseBoxes ? .perCategory(overlap: 0.3) : .none
  }
  var scoreThreshold: Float {
    hasCloseBoxes ? 0.5 : 0.3
  }
  /// Whether neighbouring peaks can belong to one object, as in the two detectors of faces other than DBFace.
  private var hasCloseBoxes: Bool {
    switch sizes {
    case .logarithms, .edges(_, areLogarithms: false): true
    case .widthAndHeight, .edges: false
    }
  }
  /// CenterFace takes bytes, and Qualcomm's detector fractions in a letterbox.
  ///
  /// The others take BGR pictures, with means and deviations of their own.
  var inputConvention: PictureInput.Convention {
    switch sizes {
    case .logarithms: .init(normalization: PictureTensor.Normalization.none)
    case .edges(_, areLogarithms: false): .init(normalization: .unit, fit: .letterbox(.center))
    case .widthAndHeight, .edges:
      .init(
        normalization: .init(
          mean: [104.04, 113.985, 119.85], deviation: [73.695, 69.87, 70.89]), channels: .bgr)
    }
  }

  func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let shape = outputs[heat].shape
    guard shape.count == 4, shape[isPlanar ? 1 : 3] == classes else {
      throw .mismatched("the output '\(outputs[heat].name)' is not a map of \(classes) classes")
    }
    let maps = Maps(
      heat: try OutputRows(outputs[heat], channels: classes, isPlanar: isPlanar),
      columns: shape[isPlanar ? 3 : 2], rows: shape[isPlanar ? 2 : 1],
      companions: try companions.map { output, channels throws(VisionError) in
        try OutputRows(outputs[output], channels: channels, isPlanar: isPlanar)
      })
    guard maps.companions.allSatisfy({ $0.count == maps.heat.count }) else {
      throw .mismatched("the map '\(outputs[heat].name)' and its companions are of two sizes")
    }
    let limit = activation == .sigmoid ? logit(threshold) : threshold
    var found: [Candidate] = []
    for cell in 0..<maps.heat.count {
      for category in 0..<classes {
        let raw = maps.heat[cell, category]
        guard raw >= limit, maps.isPeak(cell, category) else { continue }
        let (x, y) = (cell % maps.columns, cell / maps.columns)
        let (box, points) = decode(maps.companions, cell, x: Float(x), y: Float(y))
        let scale = (x: 1 / Double(maps.columns), y: 1 / Double(maps.rows))
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

  /// The other maps, with the number of channels of each, in the order in which `decode` takes them.
  private var companions: [(output: Int, channels: Int)] {
    switch sizes {
    case .widthAndHeight(let offsets): [(boxes, 2), (offsets, 2)]
    case .logarithms(let offsets, let keypoints): [(boxes, 2), (offsets, 2), (keypoints, 10)]
    case .edges(let keypoints, _): [(boxes, 4), (keypoints, 10)]
    }
  }

  /// The maps of a picture.
  private struct Maps {
    let heat: OutputRows
    let columns: Int
    let rows: Int
    let companions: [OutputRows]

    /// Whether none of the eight neighbouring cells has a higher value.
    func isPeak(_ cell: Int, _ category: Int) -> Bool {
      let (x, y) = (cell % columns, cell / columns)
      let value = heat[cell, category]
      return (max(y - 1, 0)...min(y + 1, rows - 1)).allSatisfy { row in
        (max(x - 1, 0)...min(x + 1, columns - 1)).allSatisfy { column in
          heat[row * columns + column, category] <= value
        }
      }
    }
  }

  /// Returns the box and the keypoints of a cell, in units of cells from the corner of the map.
  private func decode(
    _ maps: [OutputRows], _ cell: Int, x: Float, y: Float
  ) -> (BoundingBox, [PixelPoint]) {
    switch sizes {
    case .widthAndHeight:
      let (width, height) = (Double(maps[0][cell, 0]), Double(maps[0][cell, 1]))
      let (x, y) = (Double(x + maps[1][cell, 0]), Double(y + maps[1][cell, 1]))
      return (BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height), [])
    case .logarithms:
      let (height, width) = (
        Double(exponential(maps[0][cell, 0])), Double(exponential(maps[0][cell, 1]))
      )
      let left = Double(x + maps[1][cell, 1] + 0.5) - width / 2
      let top = Double(y + maps[1][cell, 0] + 0.5) - height / 2
      let points = (0..<5).map { index in
        PixelPoint(
          x: left + Double(maps[2][cell, 2 * index + 1]) * width,
          y: top + Double(maps[2][cell, 2 * index]) * height)
      }
      return (BoundingBox(x: left, y: top, width: width, height: height), points)
    case .edges(_, let areLogarithms):
      let edges = (0..<4).map { maps[0][cell, $0] }
      let box = BoundingBox(
        left: Double(x - edges[0]), top: Double(y - edges[1]), right: Double(x + edges[2]),
        bottom: Double(y + edges[3]))
      let distances = (0..<10).map { index in
        areLogarithms ? Self.stretched(4 * maps[1][cell, index]) : maps[1][cell, index]
      }
      return (
        box,
        (0..<5).map { PixelPoint(x: Double(x + distances[$0]), y: Double(y + distances[5 + $0])) }
      )
    }
  }

  /// DBFace stores the distances of keypoints as signed logarithms, but small ones linearly.
  private static func stretched(_ value: Float) -> Float {
    if abs(value) < 1 { return value * exponential(Float(1)) }
    return value > 0 ? exponential(value) : -exponential(-value)
  }
}
