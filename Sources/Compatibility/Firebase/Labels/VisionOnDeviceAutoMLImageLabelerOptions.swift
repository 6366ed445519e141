public import Foundation
public import OcellusCompatibility

/// Which labels to give, and of which AutoML model.
///
/// Options belong to one thread at a time. A labeler takes a copy when it is made; changes
/// afterwards are for the next one.
public final class VisionOnDeviceAutoMLImageLabelerOptions: NSObject {
  /// The confidence that labels have at least; 0.5 in place of numbers outside 0…1.
  public var confidenceThreshold: Float = 0.5
  /// The threads that share the work, which the original does not offer; `nil`: the usual for the machine.
  public var threadCount: Int?

  private let model: ModelSource

  /// Options for a model on this machine.
  public init(localModel: AutoMLLocalModel) {
    model = localModel.source
  }

  /// Options for a hosted model.
  public init(remoteModel: AutoMLRemoteModel) {
    model = remoteModel.source
  }

  var labeling: PictureLabeling {
    PictureLabeling(
      model, threshold: confidenceThreshold.asConfidence ?? 0.5, threads: threadCount)
  }
}
