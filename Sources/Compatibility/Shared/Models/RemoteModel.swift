public import Foundation

/// A model that is hosted elsewhere, by its name.
///
/// Processing a picture with it before it was downloaded fails with `ProcessingError.modelNotDownloaded`.
/// Only this package has subclasses: the initializer is not public. Unchecked for that reason alone:
/// nothing in a model or in one of them changes.
open class RemoteModel: NSObject, @unchecked Sendable {
  /// The name under which the model is hosted.
  public let name: String

  package init(name: String) {
    self.name = name
  }

  package var source: ModelSource { .remote(name: name) }
}

/// A hosted model of one's own.
///
/// `ModelManager.getLatestModelFilePath(_:completion:)` has its path, once it was downloaded.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name, in the words of Firebase.
  public override init(name: String) {
    super.init(name: name)
  }

  /// The model that the source names, in the words of ML Kit.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(name: remoteModelSource.name)
  }
}

/// A hosted model that AutoML Vision Edge exported.
public final class AutoMLRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
