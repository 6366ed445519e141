public import Foundation
import OcellusCompatibility
public import OcellusVision

/// The base class of `ObjectDetectorOptions` and `CustomObjectDetectorOptions`.
///
/// Use an options object on one thread at a time. A detector copies the options when it is created,
/// so later changes do not affect it.
public class CommonObjectDetectorOptions: NSObject {
  /// Whether objects get labels; otherwise no classifier runs.
  public var shouldEnableClassification = false
  /// Whether up to five objects are detected, or only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// The relation between successive pictures.
  public var detectorMode = ObjectDetectorMode.stream
  /// How often the detection model runs in a stream, an addition to the original API.
  public var cadence = ObjectRecognizer.Cadence.everyFrame
  /// The number of threads, an addition to the original API; `nil` selects the machine's default.
  public var threadCount: Int?

  /// The model that classifies objects; `nil` for the base model.
  let classifier: ModelSource?

  init(classifier: ModelSource?) {
    self.classifier = classifier
  }

  /// The source of labels, if classification is enabled.
  var naming: ObjectRecognition.Naming { .coarse }

  final func recognition(with detectorModel: LocalModel?) -> ObjectRecognition.Options {
    ObjectRecognition.Options(
      mode: detectorMode == .stream ? .stream : .singleImage,
      findsMultipleObjects: shouldEnableMultipleObjects,
      naming: shouldEnableClassification ? naming : .none, detector: detectorModel?.source,
      cadence: cadence, threads: threadCount)
  }
}
