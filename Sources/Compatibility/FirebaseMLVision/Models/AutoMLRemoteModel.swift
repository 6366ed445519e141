public import OcellusCompatibility

/// A hosted model that AutoML Vision Edge exported.
///
/// Processing a picture with it before it was downloaded fails with `ProcessingError.modelNotDownloaded`.
public final class AutoMLRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}

/// A hosted model of one's own.
///
/// `ModelManager.getLatestModelFilePath(_:completion:)` has its path, once it was downloaded.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
