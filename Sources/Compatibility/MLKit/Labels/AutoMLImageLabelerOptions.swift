public import Foundation
public import OcellusCompatibility

/// Which labels of an AutoML model to give: those with a confidence of 0.5, unless set.
public final class AutoMLImageLabelerOptions: CommonImageLabelerOptions {
  /// Options for a model on this machine.
  public init(localModel: AutoMLImageLabelerLocalModel) {
    super.init(model: localModel.source)
  }

  /// Options for a hosted model.
  public init(remoteModel: AutoMLImageLabelerRemoteModel) {
    super.init(model: remoteModel.source)
  }
}

/// A model that AutoML Vision Edge exported, with its labels.
public final class AutoMLImageLabelerLocalModel: NSObject, Sendable {
  /// The path of the model's `manifest.json`, which is looked at when the model is used.
  public let manifestPath: String

  /// The model by its manifest.
  public init(manifestPath: String) {
    self.manifestPath = manifestPath
  }

  fileprivate var source: ModelSource { .local(path: manifestPath) }
}

/// A hosted model that AutoML Vision Edge exported.
public final class AutoMLImageLabelerRemoteModel: RemoteModel, @unchecked Sendable {
  /// The model with this name.
  public override init(name: String) {
    super.init(name: name)
  }
}
