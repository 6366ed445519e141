public import OcellusImaging

/// Decodes a table of final detections: a row for each, with box, score and class in known columns.
public struct DetectionRowsDecoder: DetectionDecoder {
  /// The number of columns of the table.
  public var columns: Int
  /// The first column of the box.
  public var boxColumn: Int
  /// The column of the score.
  public var scoreColumn: Int
  /// The column of the class.
  public var categoryColumn: Int
  /// The layout of the box; if `nil`, edges in pixels or fractions, depending on the values.
  public var layout: BoxLayout?
  /// The size of the input, in pixels.
  public var inputSize: PixelSize
  /// The output that holds the table.
  var output = 0
  /// Whether boxes are in pixels, if that is known; `nil`: they are if a number is above 2.
  var isInPixels: Bool?
  /// The preprocessing of pictures for networks with such tables.
  var convention = PictureInput.Convention()
  /// The column of the angle of a rotated box, in radians; `nil`: boxes are upright.
  var angleColumn: Int?
  /// The first column of the keypoints, their number, and the number of elements of each.
  var keypoints: (first: Int, count: Int, numbers: Int)?

  /// The columns left, top, right, bottom, score, class: YOLO v10 and other networks without NMS.
  public static func sixColumns(inputSize: PixelSize) -> Self {
    Self(
      columns: 6, boxColumn: 0, scoreColumn: 4, categoryColumn: 5, layout: nil,
      inputSize: inputSize)
  }

  /// The columns image index, class, score, left, top, right, bottom.
  ///
  /// Detectors with the post-processing of PINTO's model zoo have them.
  public static func sevenColumns(inputSize: PixelSize) -> Self {
    Self(
      columns: 7, boxColumn: 3, scoreColumn: 2, categoryColumn: 1, layout: nil,
      inputSize: inputSize)
  }

  /// A description of the family.
  public var summary: String { "finished rows of \(columns) columns" }
  /// None: the graph has already suppressed overlaps.
  public var suppression: Suppression { .none }

  /// YOLO's convention if the author's metadata say that it is a YOLO model.
  public var inputConvention: PictureInput.Convention { convention }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let values = outputs[output].values
    let rows = values.count / columns
    // Boxes may extend beyond the picture a little, but not by its whole size.
    let isInPixels =
      isInPixels
      ?? (0..<rows).contains { row in
        (0..<4).contains { values[row * columns + boxColumn + $0] > 2 }
      }
    var layout = layout ?? BoxLayout(kind: .edges)
    if self.layout == nil || angleColumn != nil, isInPixels {
      (layout.width, layout.height) = (Double(inputSize.width), Double(inputSize.height))
    }
    return (0..<rows).compactMap { row in
      let start = row * columns
      guard values[start + scoreColumn] >= threshold,
        let category = Int(exactly: values[start + categoryColumn].rounded())
      else { return nil }
      let box = layout.box(values, at: start + boxColumn)
      return Candidate(
        box: angleColumn.map { box.around(angle: values[start + $0], inputSize) } ?? box,
        category: category, score: values[start + scoreColumn],
        keypoints: keypoints(values, start, layout), origin: .init(index: row))
    }
  }

  private func keypoints(
    _ values: UnsafeBufferPointer<Float>, _ start: Int, _ layout: BoxLayout
  ) -> [PixelPoint] {
    guard let keypoints else { return [] }
    return (0..<keypoints.count).map { index in
      let offset = start + keypoints.first + index * keypoints.numbers
      return PixelPoint(
        x: Double(values[offset]) / layout.width, y: Double(values[offset + 1]) / layout.height)
    }
  }
}

extension DetectionRowsDecoder: DetectorFamily {
  /// Final tables have a few hundred rows; longer tables are raw outputs.
  private static let maximumRows = 1000

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let table = YOLOTable(facts, isFinished: true),
      let extents = Optional(table.shape.drop { $0 == 1 }), extents.count == 2,
      let rows = extents.first, let columns = extents.last, rows <= maximumRows,
      // A table with as many rows as YOLO has cells or anchors is a raw YOLO output.
      ![1, 3].contains(where: { rows == $0 * GridCell.count(in: facts.inputSize) })
    else { return nil }
    let source = "the outputs' shapes"
    let task = facts.model.author?.task
    var decoder = sixColumns(inputSize: facts.inputSize)
    decoder.output = table.rows
    decoder.isInPixels = facts.isInPixels(table.rows)
    decoder.columns = columns
    if task != nil { decoder.convention = YOLORowsDecoder.usualConvention }
    switch columns - 6 - table.masks {
    case 0 where table.masks > 0 || facts.shapes.count == 1:
      return .likely(decoder, source: source)
    case 1 where task == "obb":
      decoder.angleColumn = 6
      decoder.layout = .center
      return .likely(decoder, source: "the file of its author")
    case 1 where facts.shapes.count == 1:
      var seven = sevenColumns(inputSize: facts.inputSize)
      seven.isInPixels = decoder.isInPixels
      return .likely(seven, source: source)
    case let rest where task == "pose" && rest > 0:
      let numbers = facts.model.author?.keypointShape?.numbers ?? 3
      decoder.keypoints = (first: 6, count: rest / numbers, numbers: numbers)
      return .likely(decoder, source: "the file of its author")
    default: return nil
    }
  }
}
