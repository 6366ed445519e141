/// A family of detectors that recognizes its models.
///
/// To add a family, add a file in `Decoders` and a line in `DecoderFinder.families`.
protocol DetectorFamily: SendableMetatype {
  /// Returns the decoder that the family proposes for a model; `nil` if it recognizes nothing.
  ///
  /// - Throws: `VisionError` when what the caller gave does not fit the model.
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition?
}

/// A family's answer for a model.
enum Recognition {
  /// The graph is unambiguous: no other family need be asked.
  case certain(any DetectionDecoder, source: String)
  /// The model looks like one of the family, but it may also match another one.
  case likely(any DetectionDecoder, source: String)
  /// The model resembles the family, but something is missing: the text says what to give.
  case resembles(String)
}
