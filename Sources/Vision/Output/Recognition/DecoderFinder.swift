/// Finds the family of a detection model by asking each family.
struct DecoderFinder {
  typealias Finding = (decoder: any DetectionDecoder, source: String)

  /// All families; the first one that is certain ends the search.
  private static let families: [any DetectorFamily.Type] = [
    CellBoxesFamily.self,
    PostProcessedDecoder.self,
    DetectionRowsDecoder.self,
    YOLOHeadsFamily.self,
    PackedAnchorsFamily.self,
    YOLORowsDecoder.self,
    YOLOMapDecoder.self,
    FastestDetDecoder.self,
    DistributionDecoder.self,
    CenterMapDecoder.self,
    DETRFamily.self,
    CentroidDecoder.self,
    MediaPipeFamily.self,
    MaskedFaceFamily.self,
    RetinaFaceFamily.self,
    YuNetFamily.self,
    YuNetDecoder.self,
    EfficientDetFamily.self,
    SSDFamily.self,
    CarriedAnchorsDecoder.self,
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
    let (model, place) = (facts.model, facts.place)
    throw .mismatched(
      "the outputs \(model.outputsInWords) do not match any known detector: "
        + (SuggestedTask.evidentAdvice(model, place, besides: .detecting) ?? resemblances.first
          ?? SuggestedTask.advice(model, place, besides: .detecting)
          ?? "give a decoder of your own (decoder in the options)"))
  }

  /// Returns the decoder if exactly one family recognizes the model.
  static func finding(_ facts: DetectorFacts) -> Finding? {
    guard let findings = (try? ask(facts))?.findings, findings.count == 1 else { return nil }
    return findings[0]
  }

  /// Asks all families; one that is certain overrides the others.
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
