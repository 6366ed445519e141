import OcellusPlatform

/// A verified version of a model on this machine.
///
/// As long as this value or a copy of it exists, no store removes its files.
public struct StoredModel: Sendable {
  /// The name under which the model was requested.
  public let name: String
  /// The name of the version at its host.
  public let version: String
  /// The path of the model file.
  public let path: String
  /// The path of the labels file, if there is one.
  ///
  /// Detectors and labelers find it without help, because it is next to the model.
  public let labelsPath: String?
  /// The SHA-256 digest of the model file, in hexadecimal digits.
  public let sha256: String
  /// The size of the model file in bytes.
  public let byteCount: Int
  /// The lease that protects the files from removal.
  let lease: VersionLease
}

/// A lease that protects the folder of a version from removal for its lifetime.
///
/// Unchecked `Sendable`, because the open folder is not used, only closed.
final class VersionLease: @unchecked Sendable {
  private let folder: OpenFile

  /// Acquires the lease; `nil` if the folder is missing or being removed.
  init?(_ path: String) {
    guard let folder = try? OpenFile(folder: path) else { return nil }
    // A file system without locks cannot protect the folder from other processes.
    if (try? folder.tryLock(.shared)) == false { return nil }
    // A process that removes a folder renames it while holding its lock.
    guard FileSystem.isDirectory(path) else { return nil }
    folder.markAsUsed()
    self.folder = folder
  }
}
