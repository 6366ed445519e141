public import Foundation
import OcellusCompatibility
public import OcellusVision

/// What to look for: `ObjectDetectorOptions` or `CustomObjectDetectorOptions`.
///
/// Options belong to one thread at a time. A detector takes a copy when it is made; changes
/// afterwards are for the next one.
public class CommonObjectDetectorOptions: NSObject {
  /// Whether objects have labels; otherwise no classifier is run.
  public var shouldEnableClassification = false
  /// Whether up to five objects are found, or only the most prominent one.
  public var shouldEnableMultipleObjects = false
  /// Whether pictures belong together.
  public var detectorMode = ObjectDetectorMode.stream
  /// How often a stream's pictures are searched, which the original does not let programs decide.
  public var cadence = ObjectRecognizer.Cadence.everyFrame
  /// The threads that share the work, which the original does not offer; `nil`: the usual for the machine.
  public var threadCount: Int?

  /// The model that says what objects are; `nil`: the base model.
  let classifier: ModelSource?

  init(classifier: ModelSource?) {
    self.classifier = classifier
  }

  /// Where labels come from when objects have them.
  var naming: ObjectRecognition.Naming { .coarse }

  final func recognition(with detectorModel: LocalModel?) -> ObjectRecognition.Options {
    ObjectRecognition.Options(
      mode: detectorMode == .stream ? .stream : .singleImage,
      findsMultipleObjects: shouldEnableMultipleObjects,
      naming: shouldEnableClassification ? naming : .none, detector: detectorModel?.source,
      cadence: cadence, threads: threadCount)
  }
}
