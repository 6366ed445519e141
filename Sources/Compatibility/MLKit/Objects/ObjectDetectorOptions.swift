/// The options of a detector with the base model, whose labels are in `DetectedObjectLabel`.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// Creates the default options: the most prominent object of a stream, without labels.
  public init() {
    super.init(classifier: nil)
  }
}
