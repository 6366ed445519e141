public import Foundation

/// A reference to a hosted model.
///
/// Processing a picture with it before it is downloaded fails with
/// `ProcessingError.modelNotDownloaded`. Unchecked `Sendable`: the properties are constant, and
/// only this package has subclasses, because the initializer is not public.
open class RemoteModel: NSObject, @unchecked Sendable {
  /// The name under which the model is hosted.
  public let name: String

  package init(name: String) {
    self.name = name
  }

  package var source: ModelSource { .remote(name: name) }
}

/// A hosted custom model.
///
/// `ModelManager.getLatestModelFilePath(_:completion:)` provides its path after the download.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a reference to the model with this name, as in Firebase's API.
  public override init(name: String) {
    super.init(name: name)
  }

  /// Creates a reference to the model of a source, as in ML Kit's API.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(name: remoteModelSource.name)
  }
}

/// A hosted model exported by AutoML Vision Edge.
public final class AutoMLRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a reference to the model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
