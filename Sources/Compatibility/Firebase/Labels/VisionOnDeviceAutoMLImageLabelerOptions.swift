public import Foundation
public import OcellusCompatibility

/// The options of a labeler with an AutoML model.
///
/// Use an options object on one thread at a time. A labeler copies the options when it is created,
/// so later changes do not affect it.
public final class VisionOnDeviceAutoMLImageLabelerOptions: NSObject {
  /// The minimum confidence of labels; a value outside 0…1 stands for 0.5.
  public var confidenceThreshold: Float = 0.5
  /// The number of threads, an addition to the original API; `nil` selects the machine's default.
  public var threadCount: Int?

  private let model: ModelSource

  /// Creates options for a model on this machine.
  public init(localModel: AutoMLLocalModel) {
    model = localModel.source
  }

  /// Creates options for a hosted model.
  public init(remoteModel: AutoMLRemoteModel) {
    model = remoteModel.source
  }

  var labeling: PictureLabeling {
    PictureLabeling(
      model, threshold: confidenceThreshold.asConfidence ?? 0.5, threads: threadCount)
  }
}
