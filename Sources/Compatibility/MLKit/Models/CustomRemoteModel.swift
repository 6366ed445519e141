public import OcellusCompatibility

/// A hosted model of one's own.
///
/// Processing a picture with it before it was downloaded fails with `ProcessingError.modelNotDownloaded`.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model that the source names.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(name: remoteModelSource.name)
  }

  var source: ModelSource { .remote(name: name) }
}
