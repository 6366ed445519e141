/// The options of a labeler with the base model; the default minimum confidence is 0.5.
public final class ImageLabelerOptions: CommonImageLabelerOptions {
  /// Creates the default options.
  public init() {
    super.init(model: nil)
  }
}
