/// What to look for with the base model, whose labels are those of `DetectedObjectLabel`.
public final class ObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The most prominent object of a stream, without labels.
  public init() {
    super.init(classifier: nil)
  }
}
