import OcellusImaging

/// SSD detectors without post-processing in the graph.
///
/// Their anchors follow from the input's size or are given by the caller.
enum SSDFamily: DetectorFamily {
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition? {
    guard let outputs = AnchoredOutputs(facts), outputs.boxNumbers == 4 else { return nil }
    guard let layout = try Layout(rows: outputs.rows, facts) else {
      // Other families also have pairs of boxes and scores, so this is only a resemblance.
      return .resembles(
        "they resemble an SSD's, but \(outputs.rows) boxes are not as many as its anchors at "
          + "\(facts.inputSize): say which they are (anchors in the options, --anchors FILE)")
    }
    let hasBackground = hasBackground(columns: outputs.scoreColumns, facts.labels)
    let decoder = AnchorDecoder(
      boxOutputs: outputs.boxes, scoreOutputs: outputs.scores, anchors: layout.anchors,
      encoding: layout.encoding,
      activation: facts.activation(ofScores: outputs.scores), hasBackground: hasBackground,
      name: layout.name, categoryCount: outputs.scoreColumns - (hasBackground ? 1 : 0))
    return .likely(decoder, source: layout.source)
  }

  /// Whether the first column is the background, as the labels' number and first name show.
  static func hasBackground(columns: Int, _ labels: Labels?) -> Bool {
    if columns < 2 { return false }
    guard let labels, labels.count == columns else { return true }
    return labels.beginsWithBackground
  }

  /// The anchors, and the order of the numbers of a box.
  private struct Layout {
    var name = "SSD"
    var anchors: [Anchor]
    var encoding = AnchorDecoder.Encoding.logarithmic(center: 10, size: 5, rowsFirst: true)
    var source = "the number of boxes"

    init?(rows: Int, _ facts: DetectorFacts) throws(VisionError) {
      if case .anchors(let given)? = facts.anchors {
        guard given.count == rows else {
          throw .mismatched("\(given.count) anchors were given; the model has \(rows) boxes")
        }
        (anchors, source) = (given, "the anchors given")
        return
      }
      let (width, height) = (facts.inputSize.width, facts.inputSize.height)
      anchors = Anchor.ssd(inputWidth: width, inputHeight: height)
      if anchors.count == rows { return }
      // EfficientDet has as many boxes as a pyramid with nine for each cell of five levels.
      if let pyramid = AnchorPyramid.known.first(where: { $0.count(in: facts.inputSize) == rows }),
        rows != EfficientDetFamily.count(in: facts.inputSize)
      {
        (name, encoding) = ("SSD with a feature pyramid", pyramid.encoding)
        anchors = pyramid.anchors(in: facts.inputSize)
        return
      }
      anchors = Anchor.ultraLight(inputWidth: width, inputHeight: height)
      guard anchors.count == rows else { return nil }
      name = "ultra light face detector"
      encoding = .logarithmic(center: 10, size: 5, rowsFirst: false)
    }
  }
}
