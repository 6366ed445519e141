public import Foundation
import OcellusCompatibility

/// Which labels of the base model to give.
///
/// Options belong to one thread at a time. A labeler takes a copy when it is made; changes
/// afterwards are for the next one.
public final class VisionOnDeviceImageLabelerOptions: NSObject {
  /// The confidence that labels have at least; 0.5 in place of numbers outside 0…1.
  public var confidenceThreshold: Float = 0.5
  /// The threads that share the work, which the original does not offer; `nil`: the usual for the machine.
  public var threadCount: Int?

  /// Labels with the usual confidence.
  public override init() {}

  func labeling(with baseModel: LocalModel?) -> PictureLabeling {
    PictureLabeling(
      baseModel?.source, threshold: confidenceThreshold.asConfidence ?? 0.5, threads: threadCount)
  }
}
