public import Foundation
import OcellusCompatibility
public import OcellusVision

/// What to look for.
///
/// Options belong to one thread at a time. A detector takes a copy when it is made; changes
/// afterwards are for the next one.
public final class VisionObjectDetectorOptions: NSObject {
  /// Whether objects have categories.
  public var shouldEnableClassification = false
  /// Whether up to five objects are found, or only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// Whether pictures belong together.
  public var detectorMode = VisionObjectDetectorMode.stream
  /// How often a stream's pictures are searched, which the original does not let programs decide.
  public var cadence = ObjectRecognizer.Cadence.everyFrame
  /// The threads that share the work, which the original does not offer; `nil`: the usual for the machine.
  public var threadCount: Int?

  /// The most prominent object of a stream, without a category.
  public override init() {}

  func recognition(with detectorModel: LocalModel?) -> ObjectRecognition.Options {
    ObjectRecognition.Options(
      mode: detectorMode == .stream ? .stream : .singleImage,
      findsMultipleObjects: shouldEnableMultipleObjects,
      naming: shouldEnableClassification ? .coarse : .none, detector: detectorModel?.source,
      cadence: cadence, threads: threadCount)
  }
}
