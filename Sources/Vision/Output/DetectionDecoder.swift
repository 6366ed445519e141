/// Reads objects from the outputs of one family of networks.
///
/// Conform a type of your own for a network that none of the decoders here fits.
public protocol DetectionDecoder: Sendable {
  /// The family in words, for explanations: `SSD with 1917 anchors`.
  var summary: String { get }

  /// The number of classes that it tells apart; `nil` when the outputs do not show it.
  var categoryCount: Int? { get }

  /// What is done about boxes that overlap, unless the options say otherwise.
  var suppression: Suppression { get }

  /// The score below which candidates are dropped, unless the options or metadata say otherwise.
  var scoreThreshold: Float { get }

  /// The largest number of objects that the model itself can report; `nil` for no such limit.
  var maximumResults: Int? { get }

  /// How networks of the family were shown pictures when they were trained.
  var inputConvention: PictureInput.Convention { get }

  /// Finds what scores at least `threshold`, in the order of the outputs.
  func candidates(in outputs: [OutputTensor], threshold: Float) throws(VisionError) -> [Candidate]
}

extension DetectionDecoder {
  /// Not known.
  public var categoryCount: Int? { nil }
  /// By class, at an overlap of 0.45: what most detectors are evaluated with.
  public var suppression: Suppression { .perCategory(overlap: 0.45) }
  /// 0.25: what YOLO's tools use for showing results.
  public var scoreThreshold: Float { 0.25 }
  /// Stretched, with no custom about values.
  public var inputConvention: PictureInput.Convention { PictureInput.Convention() }
  /// No limit.
  public var maximumResults: Int? { nil }
}
