public import Foundation
import OcellusCompatibility

/// The base class of `ImageLabelerOptions` and other options of labelers.
///
/// Use an options object on one thread at a time. A labeler copies the options when it is created,
/// so later changes do not affect it.
public class CommonImageLabelerOptions: NSObject {
  /// The minimum confidence of labels, 0…1; `nil` or another value selects the model's default.
  public var confidenceThreshold: NSNumber?
  /// The number of threads, an addition to the original API; `nil` selects the machine's default.
  public var threadCount: Int?

  /// The model; `nil` for the base model.
  let model: ModelSource?

  init(model: ModelSource?) {
    self.model = model
  }

  final var validThreshold: Float? { confidenceThreshold?.floatValue.asConfidence }

  func labeling(with baseModel: LocalModel?) -> PictureLabeling {
    PictureLabeling(
      model ?? baseModel?.source, threshold: validThreshold ?? 0.5, threads: threadCount)
  }
}
