/// Which labels of the base model to give: those with a confidence of 0.5, unless set.
public final class ImageLabelerOptions: CommonImageLabelerOptions {
  /// Labels with the usual confidence.
  public init() {
    super.init(model: nil)
  }
}
