import OcellusPlatform

/// A version of a model that is on this machine, checked against its digest.
///
/// As long as this value or a copy of it is in use, no store removes its files.
public struct StoredModel: Sendable {
  /// The name that the model was asked for by.
  public let name: String
  /// The version, as its host calls it.
  public let version: String
  /// The path of the model file.
  public let path: String
  /// The path of its labels, where they are a file of their own; detectors and labelers find it by
  /// themselves, beside the model.
  public let labelsPath: String?
  /// The SHA-256 digest of the model file, in hexadecimal digits.
  public let sha256: String
  /// How many bytes the model file has.
  public let byteCount: Int
  /// What keeps the files.
  let lease: VersionLease
}

/// Keeps the folder of a version from being removed, for as long as it is in memory.
///
/// Unchecked: the open folder is only closed.
final class VersionLease: @unchecked Sendable {
  private let folder: OpenFile

  /// `nil` if the folder is just being removed, or is not there.
  init?(_ path: String) {
    guard let folder = try? OpenFile(folder: path) else { return nil }
    // A file system without locks has no other owner to keep the folder from either.
    if (try? folder.tryLock(.shared)) == false { return nil }
    // Who removes a folder gives it another name while it is locked.
    guard FileSystem.isDirectory(path) else { return nil }
    folder.markAsUsed()
    self.folder = folder
  }
}
