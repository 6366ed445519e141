public import Foundation
import OcellusCompatibility

/// A model on this machine: `AutoMLLocalModel` or `CustomLocalModel`.
public class LocalModel: NSObject {
  /// The path of the model file, or of the manifest that names it.
  public let path: String

  init(path: String) {
    self.path = path
  }

  final var source: ModelSource { .local(path: path) }
}

/// A model that AutoML Vision Edge exported, with its labels.
public final class AutoMLLocalModel: LocalModel {
  /// The model by its `manifest.json`, which is looked at when the model is used.
  public init(manifestPath: String) {
    super.init(path: manifestPath)
  }
}

/// A model of one's own.
public final class CustomLocalModel: LocalModel {
  /// The model in a file, which is looked at when the model is used.
  public init(modelPath: String) {
    super.init(path: modelPath)
  }
}
