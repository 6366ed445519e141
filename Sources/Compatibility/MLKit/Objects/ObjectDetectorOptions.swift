/// The options of a detector with the base model, whose labels are in `DetectedObjectLabel`.
///
/// - Important: The base model is not that of the original API, but the package's own, which knows
///   drawn scenes only and is wrong about photographs. `ocellus models default
///   coco-ssd-mobilenet-v1` fetches a model for photographs and makes it the base model, whose
///   labels are then its own; so does the environment variable `OCELLUS_DETECTOR` for one process.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// Creates the default options: the most prominent object of a stream, without labels.
  public init() {
    super.init(classifier: nil)
  }
}
