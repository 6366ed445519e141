import OcellusPlatform

/// Why a store has no model to give, or not the one that it was asked for.
///
/// Whatever went wrong, the model that was good before is still there.
public struct StoreError: Error, Sendable, Hashable {
  /// What kind of thing went wrong, so that programs can decide without reading the message.
  public enum Kind: String, Sendable, Hashable {
    /// A name, an address or a manifest breaks the rules.
    case malformed
    /// Nobody offers a model of that name, or no version of it that may be used here.
    case notFound
    /// The model is not on this machine, and nothing else may be asked.
    case notDownloaded
    /// The server wants other credentials.
    case refused
    /// The server cannot be reached, is not who it says, or ended the connection.
    case unreachable
    /// The server answered with something that is no answer.
    case serverFailed
    /// A request took longer than the conditions allow.
    case timedOut
    /// What arrived is not what was offered, or what is stored is not what arrived: its length or its digest
    /// differs.
    case damaged
    /// A model or an answer has more bytes than the conditions allow.
    case tooLarge
    /// The conditions do not allow to download now.
    case notAllowed
    /// The disk is full.
    case noSpace
    /// The folder of the store cannot be read or written.
    case fileFailed
    /// The model is what was offered, but cannot be loaded or run.
    case unusable
    /// Somebody else is updating the model, for longer than the conditions allow to wait.
    case busy
    /// The fetch was cancelled.
    case cancelled
  }

  /// What kind of thing went wrong.
  public var kind: Kind
  /// What is wrong, without control characters, and where there is one the way out.
  public var message: String
  /// Whether the same request may succeed a little later.
  var isTemporary = false
  /// The number that a server answered with, where it did.
  var status: Int?
  /// How long the server wants to be left alone.
  var pause: Duration?
  /// The path and the code of the system, where that stood in the way.
  private var obstacle: Obstacle?

  private struct Obstacle: Hashable {
    let path: String
    let code: Int32
  }

  /// Makes an error; what the message quotes of others becomes fit for terminals.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message.shortened.printable
  }

  /// An error that may be over a little later: the store asks again.
  public static func temporary(_ kind: Kind, _ message: String) -> StoreError {
    StoreError(kind, message).asTemporary()
  }

  /// The same as something that may be over a little later.
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

  /// The same with more words behind the others.
  func adding(_ words: String) -> StoreError {
    var error = self
    error.message = (message + words).printable
    return error
  }

  /// The same with the way out, if something in the folder of a store is in the way.
  func advised(for root: String) -> StoreError {
    guard let obstacle, obstacle.path.hasPrefix(root) else { return self }
    var error = self
    error.obstacle = nil
    switch obstacle.code {
    case EACCES, EPERM, EROFS:
      return error.adding("; OCELLUS_STORE can name a folder that this user may write to")
    case ENOTDIR, EISDIR, ELOOP, EEXIST, ENOTEMPTY:
      return error.adding("; what is there is no part of the store: take it away")
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

/// Does something with files, whose errors become the store's.
func inStore<Result>(
  _ work: () throws(FileError) -> Result
) throws(StoreError) -> Result {
  do throws(FileError) { return try work() } catch { throw StoreError(error) }
}
