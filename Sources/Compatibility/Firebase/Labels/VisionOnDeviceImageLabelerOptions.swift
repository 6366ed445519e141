public import Foundation
import OcellusCompatibility

/// The options of a labeler with the base model.
///
/// - Important: The base model is the package's own, which knows drawn things only, unless
///   `ocellus models default NAME` or the environment variable `OCELLUS_LABELER` names another.
///
/// Use an options object on one thread at a time. A labeler copies the options when it is created,
/// so later changes do not affect it.
public final class VisionOnDeviceImageLabelerOptions: NSObject {
  /// The minimum confidence of labels; a value outside 0…1 stands for 0.5.
  public var confidenceThreshold: Float = 0.5
  /// The number of threads, an addition to the original API; `nil` selects the machine's default.
  public var threadCount: Int?

  /// Creates the default options.
  public override init() {}

  func labeling(with baseModel: LocalModel?) -> PictureLabeling {
    PictureLabeling(
      baseModel?.source, threshold: confidenceThreshold.asConfidence ?? 0.5, threads: threadCount)
  }
}
