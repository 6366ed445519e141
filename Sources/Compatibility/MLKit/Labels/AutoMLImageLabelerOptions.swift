public import Foundation
public import OcellusCompatibility

/// The options of a labeler with an AutoML model; the default minimum confidence is 0.5.
public final class AutoMLImageLabelerOptions: CommonImageLabelerOptions {
  /// Creates options for a model on this machine.
  public init(localModel: AutoMLImageLabelerLocalModel) {
    super.init(model: localModel.source)
  }

  /// Creates options for a hosted model.
  public init(remoteModel: AutoMLImageLabelerRemoteModel) {
    super.init(model: remoteModel.source)
  }
}

/// A model exported by AutoML Vision Edge, with its labels.
public final class AutoMLImageLabelerLocalModel: NSObject, Sendable {
  /// The path of the model's `manifest.json`, which is read when the model is loaded.
  public let manifestPath: String

  /// Creates a reference to the model with this manifest.
  public init(manifestPath: String) {
    self.manifestPath = manifestPath
  }

  fileprivate var source: ModelSource { .local(path: manifestPath) }
}

/// A hosted model exported by AutoML Vision Edge.
public final class AutoMLImageLabelerRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a reference to the model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
