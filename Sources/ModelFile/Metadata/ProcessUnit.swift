/// A step before or after the model.
public enum ProcessUnit: Sendable, Hashable {
  /// `(x - mean) / standardDeviation`, with one value or one per channel.
  case normalization(mean: [Float], standardDeviation: [Float])
  /// Sigmoids fitted to the scores, their parameters in an associated file.
  case scoreCalibration(transformation: ScoreTransformation, defaultScore: Float)
  /// Drops what scores less.
  case scoreThresholding(Float)
  case bertTokenizer(vocabulary: [AssociatedFileRecord])
  case sentencePieceTokenizer(model: [AssociatedFileRecord], vocabulary: [AssociatedFileRecord])
  case regexTokenizer(delimiter: String?, vocabulary: [AssociatedFileRecord])
  /// Of a later schema, or without options.
  case unknown

  /// What is done to scores before they are calibrated.
  public enum ScoreTransformation: Int, Sendable {
    case identity = 0
    case log = 1
    /// `log(x) - log(1 - x)`
    case inverseLogistic = 2
  }
}
