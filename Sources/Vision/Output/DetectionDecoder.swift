/// Decodes objects from the outputs of one family of networks.
///
/// Conform a type of your own for a network that none of the existing decoders fits.
public protocol DetectionDecoder: Sendable {
  /// A description of the family for explanations, such as `SSD with 1917 anchors`.
  var summary: String { get }

  /// The number of classes; `nil` when the outputs do not show it.
  var categoryCount: Int? { get }

  /// The default suppression of overlapping boxes, which the options may override.
  var suppression: Suppression { get }

  /// The default score threshold, which the options or the metadata may override.
  var scoreThreshold: Float { get }

  /// The maximum number of objects that the model itself can report; `nil`: no limit.
  var maximumResults: Int? { get }

  /// The preprocessing of pictures with which networks of the family are trained.
  var inputConvention: PictureInput.Convention { get }

  /// Returns the candidates that score at least `threshold`, in the order of the outputs.
  func candidates(in outputs: [OutputTensor], threshold: Float) throws(VisionError) -> [Candidate]
}

extension DetectionDecoder {
  /// `nil`: unknown.
  public var categoryCount: Int? { nil }
  /// Suppression by class at an overlap of 0.45, with which most detectors are evaluated.
  public var suppression: Suppression { .perCategory(overlap: 0.45) }
  /// 0.25, the default of YOLO's tools for showing results.
  public var scoreThreshold: Float { 0.25 }
  /// Stretched to the input's size, with no particular range of values.
  public var inputConvention: PictureInput.Convention { PictureInput.Convention() }
  /// `nil`: no limit.
  public var maximumResults: Int? { nil }
}
