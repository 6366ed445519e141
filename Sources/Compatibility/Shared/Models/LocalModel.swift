public import Foundation
import OcellusVision

/// A model on this machine.
///
/// Unchecked `Sendable`: the properties are constant, and only this package has subclasses, which
/// add no mutable state.
public class LocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file, or of the manifest for an `AutoMLLocalModel`.
  public let path: String
  /// The path of the manifest; `nil` if the model was created without one.
  public let manifestPath: String?

  fileprivate init(path: String, manifestPath: String?) {
    self.path = path
    self.manifestPath = manifestPath
  }

  /// Creates a reference to a model file, which is read when the model is loaded.
  public convenience init(path: String) {
    self.init(path: path, manifestPath: nil)
  }

  /// Reads the `manifest.json` of an AutoML export; `nil` if that fails.
  public convenience init?(manifestPath: String) {
    guard manifestPath.hasSuffix(".json"), let package = try? ModelPackage(path: manifestPath)
    else { return nil }
    self.init(path: package.modelPath, manifestPath: manifestPath)
  }

  /// The source to load: the manifest if there is one, because it names the labels, too.
  package var source: ModelSource { .local(path: manifestPath ?? path) }
}

/// A model exported by AutoML Vision Edge, with its labels.
public final class AutoMLLocalModel: LocalModel, @unchecked Sendable {
  /// Creates a reference to a `manifest.json`, which is read when the model is loaded.
  public init(manifestPath: String) {
    super.init(path: manifestPath, manifestPath: manifestPath)
  }
}

/// A custom model, as in Firebase's API.
public final class CustomLocalModel: LocalModel, @unchecked Sendable {
  /// Creates a reference to a model file, which is read when the model is loaded.
  public init(modelPath: String) {
    super.init(path: modelPath, manifestPath: nil)
  }
}
