public import OcellusCompatibility

/// A hosted model of one's own.
///
/// Nothing is hosted for this library: options take it, and processing a picture with it fails with
/// `ProcessingError.modelNotDownloaded`.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model that the source names.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(name: remoteModelSource.name)
  }

  var source: ModelSource { .remote(name: name) }
}
