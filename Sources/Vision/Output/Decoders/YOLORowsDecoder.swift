public import OcellusImaging

/// Reads the one tensor of YOLO v5, v8, v11 and YOLOX: a row, or a column, for every place that may
/// hold an object.
public struct YOLORowsDecoder: DetectionDecoder {
  /// The families that are told apart.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    /// Rows of a box, whether there is an object, and its classes.
    case v5
    /// Columns of a box and the classes (v8, v9, v11), or rows of the same.
    case v8
    /// Rows like v5's whose boxes are measured from cells of strides 8, 16 and 32.
    case yolox
  }

  /// The family.
  public var family: Family
  /// Whether the places are the last axis instead of the one before.
  public var isTransposed: Bool
  /// The size of the input, in pixels.
  public var inputSize: PixelSize
  /// Whether boxes are in pixels of the input; `nil`: seen from the numbers, above 2 they are.
  public var isInPixels: Bool?
  /// The number of classes.
  public var classes: Int

  /// A decoder for rows of this family.
  public init(
    family: Family, isTransposed: Bool, inputSize: PixelSize, isInPixels: Bool? = nil, classes: Int
  ) {
    self.family = family
    self.isTransposed = isTransposed
    self.inputSize = inputSize
    self.isInPixels = isInPixels
    self.classes = classes
  }

  /// The number of classes.
  public var categoryCount: Int? { classes }

  /// The family in words.
  public var summary: String {
    switch family {
    case .v5: "YOLO v5 rows"
    case .v8: isTransposed ? "YOLO v8 columns" : "YOLO v8 rows"
    case .yolox: "YOLOX rows"
    }
  }

  /// YOLOX takes bytes, blue first, in the upper left corner; the others fractions, in the middle.
  public var inputConvention: PictureInput.Convention {
    family == .yolox
      ? .init(
        normalization: PictureTensor.Normalization.none, channels: .bgr, fit: .letterbox(.corner),
        padding: 114)
      : .init(normalization: .unit, fit: .letterbox(.center), padding: 114)
  }

  /// Finds what scores at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let output = outputs[0]
    let first = family == .v8 ? 4 : 5
    let columns = first + classes
    guard output.shape.last == (isTransposed ? output.count / columns : columns) else {
      throw .mismatched("the output '\(output.name)' has no \(columns) numbers for each place")
    }
    let rows = output.count / columns
    let reader = Reader(
      values: output.values, rowStride: isTransposed ? 1 : columns,
      columnStride: isTransposed ? rows : 1)
    let (scores, categories) = reader.best(first..<columns, rows: rows)
    let layout = layout(reader, rows: rows)
    let cells = family == .yolox ? Cell.all(in: inputSize) : []
    guard family != .yolox || cells.count == rows else {
      throw .mismatched("YOLOX has \(cells.count) cells at \(inputSize); the output has \(rows)")
    }
    return (0..<rows).compactMap { row in
      let score = family == .v8 ? scores[row] : scores[row] * reader[row, 4]
      guard score >= threshold else { return nil }
      let box =
        family == .yolox
        ? cells[row].box(reader, row, inputSize)
        : layout.box(output.values, at: row * reader.rowStride, stride: reader.columnStride)
      return Candidate(box: box, category: categories[row], score: score)
    }
  }

  private func layout(_ reader: Reader, rows: Int) -> BoxLayout {
    // Boxes may stick out of the picture a little, but not by its whole size.
    let isInPixels =
      isInPixels ?? (0..<rows).contains { max(reader[$0, 2], reader[$0, 3]) > 2 }
    return BoxLayout(
      kind: .center, width: isInPixels ? Double(inputSize.width) : 1,
      height: isInPixels ? Double(inputSize.height) : 1)
  }
}

extension YOLORowsDecoder {
  /// The numbers of the places, whichever way round they lie.
  fileprivate struct Reader {
    let values: UnsafeBufferPointer<Float>
    let rowStride: Int
    let columnStride: Int

    subscript(row: Int, column: Int) -> Float { values[row * rowStride + column * columnStride] }

    /// The largest number of every row among these columns, and where it stands, from 0.
    ///
    /// Goes through the tensor in the order in which it lies.
    func best(_ columns: Range<Int>, rows: Int) -> (scores: [Float], categories: [Int]) {
      var scores = [Float](repeating: -.infinity, count: rows)
      var categories = [Int](repeating: 0, count: rows)
      func look(_ row: Int, _ column: Int) {
        let value = self[row, column]
        if value > scores[row] {
          scores[row] = value
          categories[row] = column - columns.lowerBound
        }
      }
      if rowStride == 1 {
        for column in columns { for row in 0..<rows { look(row, column) } }
      } else {
        for row in 0..<rows { for column in columns { look(row, column) } }
      }
      return (scores, categories)
    }
  }

  /// A cell of YOLOX's grids.
  fileprivate struct Cell {
    let column: Int
    let row: Int
    let stride: Int

    /// The cells of strides 8, 16 and 32, row by row.
    static func all(in size: PixelSize) -> [Cell] {
      [8, 16, 32].flatMap { stride in
        (0..<size.height / stride).flatMap { row in
          (0..<size.width / stride).map { Cell(column: $0, row: row, stride: stride) }
        }
      }
    }

    func box(_ reader: Reader, _ index: Int, _ size: PixelSize) -> BoundingBox {
      let scale = Float(stride)
      let width = Double(exponential(reader[index, 2]) * scale)
      let height = Double(exponential(reader[index, 3]) * scale)
      let x = Double((reader[index, 0] + Float(column)) * scale)
      let y = Double((reader[index, 1] + Float(row)) * scale)
      return BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height)
        .scaled(x: 1 / Double(size.width), y: 1 / Double(size.height))
    }
  }
}

extension YOLORowsDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let shape = facts.onlyShape, shape.count == 3, shape[0] == 1 else { return nil }
    let size = facts.inputSize
    let cells = Cell.all(in: size).count
    let (first, last) = (shape[1], shape[2])
    func decoder(_ family: Family, transposed: Bool = false, classes: Int) -> Recognition? {
      guard classes >= 1 else { return nil }
      return .likely(
        YOLORowsDecoder(
          family: family, isTransposed: transposed, inputSize: size, classes: classes),
        source: "the outputs' shapes")
    }
    if last == cells { return decoder(.v8, transposed: true, classes: first - 4) }
    if first == 3 * cells { return decoder(.v5, classes: last - 5) }
    guard first == cells else { return nil }
    // Rows of v8's have one number less than YOLOX's; only the labels can tell.
    return facts.labels?.count == last - 4
      ? decoder(.v8, classes: last - 4) : decoder(.yolox, classes: last - 5)
  }
}
