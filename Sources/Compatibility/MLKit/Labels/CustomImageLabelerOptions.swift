public import OcellusCompatibility

/// Which labels of a model of one's own to give: those with the confidence that the model's metadata
/// say, or else all, unless set.
public final class CustomImageLabelerOptions: CommonImageLabelerOptions {
  /// The largest number of labels; 10 in place of numbers below 1.
  public var maxResultCount = 0

  /// Options for a model on this machine.
  public init(localModel: LocalModel) {
    super.init(model: localModel.source)
  }

  /// Options for a hosted model.
  public init(remoteModel: CustomRemoteModel) {
    super.init(model: remoteModel.source)
  }

  override func labeling(with baseModel: LocalModel?) -> PictureLabeling {
    PictureLabeling(
      model, threshold: validThreshold, maximumLabels: maxResultCount.asResultCount ?? 10,
      threads: threadCount)
  }
}
