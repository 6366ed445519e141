public import Foundation
import OcellusCompatibility
public import OcellusVision

/// The options of an object detector.
///
/// - Important: The base model is the package's own, which knows drawn scenes only, unless
///   `ocellus models default NAME` or the environment variable `OCELLUS_DETECTOR` names another.
///
/// Use an options object on one thread at a time. A detector copies the options when it is created,
/// so later changes do not affect it.
public final class VisionObjectDetectorOptions: NSObject {
  /// Whether objects get categories.
  public var shouldEnableClassification = false
  /// Whether up to five objects are detected, or only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// The relation between successive pictures.
  public var detectorMode = VisionObjectDetectorMode.stream
  /// How often the detection model runs in a stream, an addition to the original API.
  public var cadence = ObjectRecognizer.Cadence.everyFrame
  /// The number of threads, an addition to the original API; `nil` selects the machine's default.
  public var threadCount: Int?

  /// Creates the default options: the most prominent object of a stream, without a category.
  public override init() {}

  func recognition(with detectorModel: LocalModel?) -> ObjectRecognition.Options {
    ObjectRecognition.Options(
      mode: detectorMode == .stream ? .stream : .singleImage,
      findsMultipleObjects: shouldEnableMultipleObjects,
      naming: shouldEnableClassification ? .coarse : .none, detector: detectorModel?.source,
      cadence: cadence, threads: threadCount)
  }
}
