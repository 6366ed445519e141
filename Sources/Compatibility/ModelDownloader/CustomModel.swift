/// A hosted model that is on this machine.
public struct CustomModel: Hashable, Sendable {
  /// The name that it was asked for by.
  public let name: String
  /// How many bytes the file has.
  public let size: Int
  /// The path of the file.
  public let path: String
  /// What tells versions apart: the SHA-256 digest of the file, in hexadecimal digits.
  public let hash: String
}

/// Which version of a model is wanted, and whether to wait for it.
public enum ModelDownloadType: CaseIterable, Hashable, Sendable {
  /// The one on this machine; the newest where there is none.
  case localModel
  /// The one on this machine at once, and then an update in the background; the newest where there is
  /// none.
  case localModelUpdateInBackground
  /// The newest.
  case latestModel
}
