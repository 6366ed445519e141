/// The options of a labeler with the base model; the default minimum confidence is 0.5.
///
/// - Important: The base model is not that of the original API, but the package's own, which knows
///   drawn things only and is wrong about photographs. `ocellus models default mobilenet-v1-0.25`
///   fetches a model for photographs and makes it the base model; so does the environment variable
///   `OCELLUS_LABELER` for one process.
public final class ImageLabelerOptions: CommonImageLabelerOptions {
  /// Creates the default options.
  public init() {
    super.init(model: nil)
  }
}
