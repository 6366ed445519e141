/// A hosted model that is stored on this machine.
public struct CustomModel: Hashable, Sendable {
  /// The name under which the model was requested.
  public let name: String
  /// The size of the file in bytes.
  public let size: Int
  /// The path of the file.
  public let path: String
  /// The SHA-256 digest of the file, in hexadecimal digits, which identifies the version.
  public let hash: String
}

/// The choice between a local and the latest version of a model.
public enum ModelDownloadType: CaseIterable, Hashable, Sendable {
  /// The local version, or the latest one if there is none.
  case localModel
  /// The local version, which is updated in the background, or the latest one if there is none.
  case localModelUpdateInBackground
  /// The latest version.
  case latestModel
}
