public import OcellusImaging
import OcellusPlatform

/// Decodes the rows of YOLO v5 to v11 and YOLOX: a row or a column for each cell or anchor.
///
/// Of models that also output masks, keypoints or rotated boxes, boxes and keypoints are decoded.
public struct YOLORowsDecoder: DetectionDecoder {
  /// The variants of the rows.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    /// Rows of a box, the objectness, and the class scores.
    case v5
    /// Columns of a box and the class scores (v8, v9, v11), or rows of these.
    case v8
    /// Rows like v5's, with boxes relative to cells of strides 8, 16 and 32.
    case yolox
  }

  /// The elements after the class scores.
  public enum Extras: Hashable, Sendable {
    /// Nothing.
    case none
    /// The coefficients of this many masks, whose prototypes are a separate output.
    case masks(Int)
    /// Keypoints, each of `numbers` elements: x, y, and possibly the visibility.
    case keypoints(Int, numbers: Int)
    /// The rotation of the box, in radians.
    case angle

    /// The number of columns.
    var count: Int {
      switch self {
      case .none: 0
      case .masks(let count): count
      case .keypoints(let count, let numbers): count * numbers
      case .angle: 1
      }
    }
  }

  /// The variant of the rows.
  public var family: Family
  /// Whether the rows are along the last dimension, not the one before.
  public var isTransposed: Bool
  /// The size of the input, in pixels.
  public var inputSize: PixelSize
  /// Whether boxes are in pixels of the input; `nil`: inferred, they are if most reach beyond 2.
  public var isInPixels: Bool?
  /// The number of classes.
  public var classes: Int
  /// The elements after the class scores.
  public var extras: Extras
  /// The output that holds the rows.
  public var boxOutput: Int
  /// The number that stands for certainty in scores: 1, or 100 if they are percentages.
  public var certainty: Float = 1
  /// Whether the objectness alone is the score, as class scores say nothing.
  public var scoresObjectsOnly = false
  /// The layout of boxes, if it is decided already; `nil`: found in the numbers.
  var settledLayout: BoxLayout?

  /// Creates a decoder for rows of this family.
  public init(
    family: Family, isTransposed: Bool, inputSize: PixelSize, isInPixels: Bool? = nil, classes: Int,
    extras: Extras = .none, boxOutput: Int = 0
  ) {
    self.extras = extras
    self.boxOutput = boxOutput
    self.family = family
    self.isTransposed = isTransposed
    self.inputSize = inputSize
    self.isInPixels = isInPixels
    self.classes = classes
  }

  /// The number of classes.
  public var categoryCount: Int? { classes }

  /// A description of the family.
  public var summary: String {
    let rows =
      switch family {
      case .v5: "YOLO v5 rows"
      case .v8: isTransposed ? "YOLO v8 columns" : "YOLO v8 rows"
      case .yolox: "YOLOX rows"
      }
    switch extras {
    case .none: return certainty == 1 ? rows : rows + ", scores up to \(Int(certainty))"
    case .masks: return rows + " with masks"
    case .keypoints(let count, _): return rows + " with \(count) keypoints"
    case .angle: return rows + " with angles"
    }
  }

  /// YOLOX takes bytes, BGR, in the upper left corner; the others take RGB from 0 to 1, centred.
  public var inputConvention: PictureInput.Convention {
    family == .yolox
      ? .init(
        normalization: PictureTensor.Normalization.none, channels: .bgr, fit: .letterbox(.corner),
        padding: 114)
      : Self.usualConvention
  }

  static let usualConvention = PictureInput.Convention(
    normalization: .unit, fit: .letterbox(.center), padding: 114)

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let first = family == .v8 ? 4 : 5
    let rows = try OutputRows(
      outputs[boxOutput], columns: first + classes + extras.count, isTransposed: isTransposed)
    let (scores, categories) = rows.best(first..<first + classes)
    let layout = layout(rows)
    let strides = grid(rows)?.strides ?? [8, 16, 32]
    let cells = family == .yolox ? GridCell.all(in: inputSize, strides: strides) : []
    guard family != .yolox || cells.count == rows.count else {
      throw .mismatched(
        "YOLOX has \(cells.count) cells at \(inputSize); the output has \(rows.count)")
    }
    return (0..<rows.count).compactMap { row in
      let objectness = family == .v8 ? 1 : rows[row, 4] / certainty
      let score = scoresObjectsOnly ? objectness : scores[row] / certainty * objectness
      guard score >= threshold else { return nil }
      return Candidate(
        box: family == .yolox ? box(in: cells[row], rows, row) : box(rows, row, layout),
        category: categories[row], score: score, keypoints: keypoints(rows, row, layout),
        origin: family == .yolox ? .init(cells[row], index: row) : .init(index: row))
    }
  }

  private func box(in cell: GridCell, _ rows: OutputRows, _ row: Int) -> BoundingBox {
    cell.box(
      x: rows[row, 0], y: rows[row, 1], width: exponential(rows[row, 2]),
      height: exponential(rows[row, 3]), in: inputSize)
  }

  private func box(_ rows: OutputRows, _ row: Int, _ layout: BoxLayout) -> BoundingBox {
    guard case .angle = extras else { return rows.box(layout, row) }
    return rows.box(layout, row).around(angle: rows[row, 4 + classes], inputSize)
  }

  private func keypoints(_ rows: OutputRows, _ row: Int, _ layout: BoxLayout) -> [PixelPoint] {
    guard case .keypoints(let count, let numbers) = extras else { return [] }
    let first = (family == .v8 ? 4 : 5) + classes
    return (0..<count).map { index in
      PixelPoint(
        x: Double(rows[row, first + index * numbers]) / layout.width,
        y: Double(rows[row, first + index * numbers + 1]) / layout.height)
    }
  }

  func layout(_ rows: OutputRows) -> BoxLayout {
    settledLayout
      ?? BoxReading(
        inputSize: inputSize, grid: family == .yolox ? nil : grid(rows), isInPixels: isInPixels,
        usual: .center
      ).layout(of: rows)
  }

  private func grid(_ rows: OutputRows) -> RowGrid? {
    RowGrid(rows: rows.count, in: inputSize)
  }
}

extension BoundingBox {
  /// Returns the upright box around this box rotated by `angle`, in a picture of the given size.
  func around(angle: Float, _ size: PixelSize) -> BoundingBox {
    let (sine, cosine) = (abs(sin(Double(angle))), abs(cos(Double(angle))))
    let (pixelWidth, pixelHeight) = (width * Double(size.width), height * Double(size.height))
    let width = (pixelWidth * cosine + pixelHeight * sine) / Double(size.width)
    let height = (pixelWidth * sine + pixelHeight * cosine) / Double(size.height)
    return BoundingBox(
      x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}
