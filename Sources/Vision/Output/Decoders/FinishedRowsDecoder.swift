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

  /// Finds what scores at least `threshold`, in the order of the outputs.
  public func candidates(
    in outputs: [OutputTensor], threshold: Float
  ) throws(VisionError) -> [Candidate] {
    let values = outputs[0].values
    let rows = values.count / columns
    // Boxes may stick out of the picture a little, but not by its whole size.
    let isInPixels = (0..<rows).contains { row in
      (0..<4).contains { values[row * columns + boxColumn + $0] > 2 }
    }
    let layout =
      layout
      ?? BoxLayout(
        kind: .edges, width: isInPixels ? Double(inputSize.width) : 1,
        height: isInPixels ? Double(inputSize.height) : 1)
    return (0..<rows).compactMap { row in
      let start = row * columns
      guard values[start + scoreColumn] >= threshold,
        let category = Int(exactly: values[start + categoryColumn].rounded())
      else { return nil }
      return Candidate(
        box: layout.box(values, at: start + boxColumn), category: category,
        score: values[start + scoreColumn])
    }
  }
}

extension FinishedRowsDecoder: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) -> Recognition? {
    guard let extents = facts.onlyShape?.drop(while: { $0 == 1 }), extents.count == 2 else {
      return nil
    }
    switch extents.last {
    case 6: return .likely(sixColumns(inputSize: facts.inputSize), source: "the outputs' shapes")
    case 7: return .likely(sevenColumns(inputSize: facts.inputSize), source: "the outputs' shapes")
    default: return nil
    }
  }
}
