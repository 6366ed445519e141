/// Finds out which family of detectors a model belongs to, by asking each.
struct DecoderFinder {
  typealias Finding = (decoder: any DetectionDecoder, source: String)

  /// Those that there are; one that is certain wins, so that it may stand before others.
  private static let families: [any DetectorFamily.Type] = [
    PostProcessedDecoder.self,
    FinishedRowsDecoder.self,
    YOLORowsDecoder.self,
    YOLOMapDecoder.self,
    CentroidDecoder.self,
    MediaPipeFamily.self,
    SSDFamily.self,
  ]

  static func find(_ facts: DetectorFacts) throws(VisionError) -> Finding {
    var findings: [Finding] = []
    for family in families {
      switch try family.recognize(facts) {
      case .certain(let decoder, let source): return (decoder, source)
      case .likely(let decoder, let source): findings.append((decoder, source))
      case nil: break
      }
    }
    if let only = findings.first, findings.count == 1 { return only }
    guard findings.isEmpty else {
      let families = findings.map(\.decoder.summary).joined(separator: ", ")
      throw .ambiguous(
        "the outputs \(facts.outputsInWords) could be those of: \(families); give the decoder")
    }
    throw .mismatched(
      """
      the outputs \(facts.outputsInWords) are those of no detector known here: SSD (boxes, classes, \
      scores, count; or [1, n, 4] and [1, n, classes] with anchors), YOLO v5 or YOLOX \
      [1, n, 5 + classes], v8 [1, 4 + classes, n], YOLO maps [1, rows, columns, anchors x \
      (5 + classes)] with anchors, FOMO [1, rows, columns, 1 + classes], finished rows of 6 or 7 \
      columns; give a decoder of your own
      """)
  }
}
