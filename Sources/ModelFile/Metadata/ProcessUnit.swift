/// A preprocessing or postprocessing step.
public enum ProcessUnit: Sendable, Hashable {
  /// `(x - mean) / standardDeviation`, with one value or one per channel.
  case normalization(mean: [Float], standardDeviation: [Float])
  /// Sigmoids fitted to the scores, with their parameters in an associated file.
  case scoreCalibration(transformation: ScoreTransformation, defaultScore: Float)
  /// Drops results with a lower score.
  case scoreThresholding(Float)
  case bertTokenizer(vocabulary: [AssociatedFileRecord])
  case sentencePieceTokenizer(model: [AssociatedFileRecord], vocabulary: [AssociatedFileRecord])
  case regexTokenizer(delimiter: String?, vocabulary: [AssociatedFileRecord])
  /// A step of a later schema, or one without options.
  case unknown

  /// The transformation of scores before they are calibrated.
  public enum ScoreTransformation: Int, Sendable {
    case identity = 0
    case log = 1
    /// `log(x) - log(1 - x)`.
    case inverseLogistic = 2
  }
}
