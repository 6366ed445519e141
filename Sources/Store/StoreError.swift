import OcellusPlatform

/// A failure of a store to provide the requested model.
///
/// After any failure, the version that worked before is still available.
public struct StoreError: Error, Sendable, Hashable {
  /// The category of a failure, for programmatic handling.
  public enum Kind: String, Sendable, Hashable {
    /// A name, an address or a manifest is invalid.
    case malformed
    /// The host offers no model of that name, or no version that may be used here.
    case notFound
    /// The model is not on this machine, and the network must not be used.
    case notDownloaded
    /// The server rejects the credentials.
    case refused
    /// The server cannot be reached, cannot be authenticated, or closed the connection.
    case unreachable
    /// The server's answer is an error or invalid.
    case serverFailed
    /// A request took longer than the conditions allow.
    case timedOut
    /// The length or the digest of a file differs from the offer or from the record.
    case damaged
    /// A model or an answer is larger than the conditions allow.
    case tooLarge
    /// The conditions do not allow a download now.
    case notAllowed
    /// The disk is full.
    case noSpace
    /// The store's folder cannot be read or written.
    case fileFailed
    /// The model is intact, but cannot be loaded or run.
    case unusable
    /// Another process or task has been updating the model for longer than the conditions allow.
    case busy
    /// The fetch was cancelled.
    case cancelled
  }

  /// The category of the failure.
  public var kind: Kind
  /// A description of the failure, without control characters, with advice where there is any.
  public var message: String
  /// Whether the same request may succeed later.
  package var isTemporary = false
  /// The HTTP status, if the server answered.
  package var status: Int?
  /// The pause that the server asked for.
  var pause: Duration?
  /// The path and the system's error code, if the file system caused the failure.
  private var obstacle: Obstacle?

  private struct Obstacle: Hashable {
    let path: String
    let code: Int32
  }

  /// Creates an error; control characters in the message are replaced.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message.shortened.printable
  }

  /// Creates an error that may be temporary, so that the store retries the request.
  public static func temporary(_ kind: Kind, _ message: String) -> StoreError {
    StoreError(kind, message).asTemporary()
  }

  /// Returns this error, marked as temporary.
  func asTemporary(after pause: Duration? = nil) -> StoreError {
    var error = self
    error.isTemporary = true
    error.pause = pause
    return error
  }

  init(_ error: FileError) {
    let kind: Kind =
      switch error.problem {
      case .system(ENOSPC), .system(EDQUOT): .noSpace
      case .tooLarge: .tooLarge
      default: .fileFailed
      }
    self.init(kind, error.description)
    switch error.problem {
    case .system(let code): obstacle = Obstacle(path: error.path, code: code)
    case .notAFile: obstacle = Obstacle(path: error.path, code: EISDIR)
    case .tooLarge: break
    }
  }

  /// Returns this error with text appended to its message.
  func adding(_ words: String) -> StoreError {
    var error = self
    error.message = (message + words).printable
    return error
  }

  /// Returns this error with advice, if it concerns a path in the store's folder.
  func advised(for root: String) -> StoreError {
    guard let obstacle, obstacle.path.hasPrefix(root) else { return self }
    var error = self
    error.obstacle = nil
    switch obstacle.code {
    case EACCES, EPERM, EROFS:
      return error.adding("; OCELLUS_STORE can name a folder that this user may write to")
    case ENOTDIR, EISDIR, ELOOP, EEXIST, ENOTEMPTY:
      return error.adding("; something that does not belong to the store is there: remove it")
    case ENOSPC, EDQUOT:
      return error.adding(
        "; 'ocellus models remove NAME' makes room, and OCELLUS_STORE can name a folder on another disk"
      )
    default: return error
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}

/// Runs `work`, and converts errors of the file system to errors of the store.
func inStore<Result>(
  _ work: () throws(FileError) -> Result
) throws(StoreError) -> Result {
  do throws(FileError) { return try work() } catch { throw StoreError(error) }
}
