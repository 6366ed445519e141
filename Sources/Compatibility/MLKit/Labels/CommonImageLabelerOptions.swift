public import Foundation
import OcellusCompatibility

/// Which labels to give: `ImageLabelerOptions` or `CustomImageLabelerOptions`.
///
/// Options belong to one thread at a time. A labeler takes a copy when it is made; changes
/// afterwards are for the next one.
public class CommonImageLabelerOptions: NSObject {
  /// The confidence that labels have at least, 0…1; `nil`, and numbers out of that range: the usual
  /// for the model.
  public var confidenceThreshold: NSNumber?
  /// The threads that share the work, which the original does not offer; `nil`: the usual for the machine.
  public var threadCount: Int?

  /// The model; `nil`: the base model.
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
