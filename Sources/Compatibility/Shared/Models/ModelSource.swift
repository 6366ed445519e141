/// The source of a model.
package enum ModelSource: Hashable, Sendable {
  /// A model file, or the manifest of a package.
  case local(path: String)
  /// A model in the store of hosted models.
  case remote(name: String)

  /// Returns the path of the model on this machine.
  package func localPath() throws(ProcessingError) -> String {
    switch self {
    case .local(let path): return path
    case .remote(let name): return try HostedModels.shared.path(of: name)
    }
  }
}
