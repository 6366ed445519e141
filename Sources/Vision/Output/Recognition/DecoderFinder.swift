/// Finds out which family of detectors a model belongs to, by asking each.
struct DecoderFinder {
  typealias Finding = (decoder: any DetectionDecoder, source: String)

  /// Those that there are; one that is certain wins, so that it may stand before others.
  private static let families: [any DetectorFamily.Type] = [
    PostProcessedDecoder.self,
    FinishedRowsDecoder.self,
    YOLORowsDecoder.self,
    YOLOMapDecoder.self,
    FastestDetDecoder.self,
    DistributionDecoder.self,
    CenterMapDecoder.self,
    DecodedCellsFamily.self,
    DETRFamily.self,
    CentroidDecoder.self,
    MediaPipeFamily.self,
    MaskedFaceFamily.self,
    RetinaFaceFamily.self,
    YuNetFamily.self,
    YuNetDecoder.self,
    EfficientDetFamily.self,
    SSDFamily.self,
  ]

  static func find(_ facts: DetectorFacts) throws(VisionError) -> Finding {
    let (findings, resemblances) = try ask(facts)
    if let only = findings.first, findings.count == 1 { return only }
    guard findings.isEmpty else {
      let families = findings.map(\.decoder.summary).joined(separator: ", ")
      throw .ambiguous(
        "the outputs \(facts.model.outputsInWords) could be those of: \(families); give the decoder"
      )
    }
    throw .mismatched(
      "the outputs \(facts.model.outputsInWords) are those of no detector known here: "
        + (resemblances.first ?? OtherTask(facts.model, facts.place)?.description
          ?? "give a decoder of your own (decoder in the options)"))
  }

  /// The family that a model belongs to, for those who know no use of it.
  static func family(of facts: DetectorFacts) -> String? {
    (try? ask(facts))?.findings.first?.decoder.summary
  }

  /// What the families say; one that is certain has the last word.
  private static func ask(
    _ facts: DetectorFacts
  ) throws(VisionError) -> (findings: [Finding], resemblances: [String]) {
    var findings: [Finding] = []
    var resemblances: [String] = []
    for family in families {
      switch try family.recognize(facts) {
      case .certain(let decoder, let source): return ([(decoder, source)], [])
      case .likely(let decoder, let source): findings.append((decoder, source))
      case .resembles(let words): resemblances.append(words)
      case nil: break
      }
    }
    return (findings, resemblances)
  }
}
