/// A family of detectors that recognises its own models.
///
/// To add one: a file in `Decoders`, and a line in `DecoderFinder.families`.
protocol DetectorFamily: SendableMetatype {
  /// What it makes of a model; `nil` when that is none of its own.
  ///
  /// - Throws: what the caller said that does not fit the model.
  static func recognize(_ facts: DetectorFacts) throws(VisionError) -> Recognition?
}

/// A family's answer to a model that may be its own.
enum Recognition {
  /// The graph itself says so: no other family need be asked.
  case certain(any DetectionDecoder, source: String)
  /// It has what models of the family have; another family may say the same.
  case likely(any DetectionDecoder, source: String)
  /// It looks like one of the family, but something is missing: what, and how to say it.
  case resembles(String)
}
