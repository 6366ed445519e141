public import Foundation
import OcellusVision

/// A model on this machine.
///
/// Only this package has subclasses, in which nothing changes either.
public class LocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file; of an `AutoMLLocalModel` that of the manifest.
  public let path: String
  /// The path of the manifest that the model was found by; `nil` without one.
  public let manifestPath: String?

  fileprivate init(path: String, manifestPath: String?) {
    self.path = path
    self.manifestPath = manifestPath
  }

  /// The model in a file, which is looked at when the model is used.
  public convenience init(path: String) {
    self.init(path: path, manifestPath: nil)
  }

  /// The model of an AutoML export, by its `manifest.json`; `nil` when that cannot be read.
  public convenience init?(manifestPath: String) {
    guard manifestPath.hasSuffix(".json"), let package = try? ModelPackage(path: manifestPath)
    else { return nil }
    self.init(path: package.modelPath, manifestPath: manifestPath)
  }

  /// What to load: the manifest, where there is one, also says which labels belong to the model.
  package var source: ModelSource { .local(path: manifestPath ?? path) }
}

/// A model that AutoML Vision Edge exported, with its labels.
public final class AutoMLLocalModel: LocalModel, @unchecked Sendable {
  /// The model by its `manifest.json`, which is looked at when the model is used.
  public init(manifestPath: String) {
    super.init(path: manifestPath, manifestPath: manifestPath)
  }
}

/// A model of one's own, in the words of Firebase.
public final class CustomLocalModel: LocalModel, @unchecked Sendable {
  /// The model in a file, which is looked at when the model is used.
  public init(modelPath: String) {
    super.init(path: modelPath, manifestPath: nil)
  }
}
