public import OcellusCompatibility

/// A hosted model that AutoML Vision Edge exported.
///
/// Nothing is hosted for this library: options take it, and processing a picture with it fails with
/// `ProcessingError.modelNotDownloaded`.
public final class AutoMLRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}

/// A hosted model of one's own.
///
/// Nothing is hosted for this library: `ModelManager` has no path for it.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
