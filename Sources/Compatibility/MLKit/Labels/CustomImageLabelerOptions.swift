public import OcellusCompatibility

/// The options of a labeler with a custom model.
///
/// The default minimum confidence is that in the model's metadata, or 0 without one.
public final class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The maximum number of labels; a value below 1 stands for 10.
  public var maxResultCount = 0

  /// Creates options for a model on this machine.
  public init(localModel: LocalModel) {
    super.init(model: localModel.source)
  }

  /// Creates options for a hosted model.
  public init(remoteModel: CustomRemoteModel) {
    super.init(model: remoteModel.source)
  }

  override func labeling(with baseModel: LocalModel?) -> PictureLabeling {
    PictureLabeling(
      model, threshold: validThreshold, maximumLabels: maxResultCount.asResultCount ?? 10,
      threads: threadCount)
  }
}
