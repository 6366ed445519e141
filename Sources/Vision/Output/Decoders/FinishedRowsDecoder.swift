public import OcellusImaging

/// Reads a table of finished objects: a row for each, with box, score and class in known columns.
public struct FinishedRowsDecoder: DetectionDecoder {
  /// The number of columns of the table.
  public var columns: Int
  /// Where the four numbers of the box begin.
  public var boxColumn: Int
  /// Where the score stands.
  public var scoreColumn: Int
  /// Where the class stands.
  public var categoryColumn: Int
  /// What the four numbers of a box are; in pixels or fractions as seen from them when `nil`.
  public var layout: BoxLayout?
  /// The size of the input, in pixels.
  public var inputSize: PixelSize
  /// The output that holds the table.
  var output = 0
  /// How networks that write such tables are shown pictures.
  var convention = PictureInput.Convention()
  /// Where the angle of a turned box stands, in radians; `nil`: boxes are upright.
  var angleColumn: Int?
  /// Where points begin, how many there are, and how many numbers each has.
  var keypoints: (first: Int, count: Int, numbers: Int)?

  /// Left, top, right, bottom, score, class: YOLO v10 and others that need no suppression.
  public static func sixColumns(inputSize: PixelSize) -> Self {
    Self(
      columns: 6, boxColumn: 0, scoreColumn: 4, categoryColumn: 5, layout: nil,
      inputSize: inputSize)
  }

  /// Number of the picture, class, score, left, top, right, bottom: detectors with the
  /// post-processing of PINTO's model zoo.
  public static func sevenColumns(inputSize: PixelSize) -> Self {
    Self(
      columns: 7, boxColumn: 3, scoreColumn: 2, categoryColumn: 1, layout: nil,
      inputSize: inputSize)
  }

  /// The family in words.
  public var summary: String { "finished rows of \(columns) columns" }
  /// The graph has suppressed overlaps already.
  public var suppression: Suppression { .none }

  /// YOLO's where the file of its author says so.
  public var inputConvention: PictureInput.Convention { convention }

  /// Finds what scores at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let values = outputs[output].values
    let rows = values.count / columns
    // Boxes may stick out of the picture a little, but not by its whole size.
    let isInPixels = (0..<rows).contains { row in
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
      let place = start + keypoints.first + index * keypoints.numbers
      return PixelPoint(
        x: Double(values[place]) / layout.width, y: Double(values[place + 1]) / layout.height)
    }
  }
}

extension FinishedRowsDecoder: DetectorFamily {
  /// Networks without suppression find a few hundred objects; longer tables are raw ones.
  private static let maximumRows = 1000

  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let table = YOLOTable(facts, isFinished: true),
      let extents = Optional(table.shape.drop { $0 == 1 }), extents.count == 2,
      let rows = extents.first, let columns = extents.last, rows <= maximumRows,
      // As many rows as YOLO has places: raw ones, of YOLO.
      ![1, 3].contains(where: { rows == $0 * GridCell.count(in: facts.inputSize) })
    else { return nil }
    let source = "the outputs' shapes"
    let task = facts.model.author?.task
    var decoder = sixColumns(inputSize: facts.inputSize)
    decoder.output = table.rows
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
      return .likely(sevenColumns(inputSize: facts.inputSize), source: source)
    case let rest where task == "pose" && rest > 0:
      let numbers = facts.model.author?.keypointShape?.numbers ?? 3
      decoder.keypoints = (first: 6, count: rest / numbers, numbers: numbers)
      return .likely(decoder, source: "the file of its author")
    default: return nil
    }
  }
}
