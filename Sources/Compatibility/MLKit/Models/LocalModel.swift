public import Foundation
import OcellusCompatibility
import OcellusVision

/// A model on this machine.
public final class LocalModel: NSObject, Sendable {
  /// The path of the model file.
  public let path: String
  /// The path of the manifest that the model was found by; `nil` without one.
  public let manifestPath: String?

  /// The model in a file, which is looked at when the model is used.
  public init(path: String) {
    self.path = path
    manifestPath = nil
  }

  /// The model of an AutoML export, by its `manifest.json`; `nil` when that cannot be read.
  public init?(manifestPath: String) {
    guard manifestPath.hasSuffix(".json"), let package = try? ModelPackage(path: manifestPath)
    else { return nil }
    path = package.modelPath
    self.manifestPath = manifestPath
  }

  /// What to load: the manifest, where there is one, also says which labels belong to the model.
  var source: ModelSource { .local(path: manifestPath ?? path) }
}
