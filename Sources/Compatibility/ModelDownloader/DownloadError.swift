import OcellusStore

/// Why a model cannot be had.
public enum DownloadError: Error, Hashable, Sendable {
  /// Nobody offers a model of this name.
  case notFound
  /// The server wants other credentials.
  case permissionDenied
  /// The network cannot be used now.
  case failedPrecondition
  /// The server was asked too often.
  case resourceExhausted
  /// The disk is full.
  case notEnoughSpace
  /// The server does not understand the request.
  case invalidArgument
  /// A model without a name was asked for.
  case emptyModelName
  /// Anything else.
  case internalError(description: String)

  init(_ error: StoreError) {
    self =
      switch error.kind {
      case .notFound, .notDownloaded: .notFound
      case .refused: .permissionDenied
      case .unreachable, .timedOut, .notAllowed: .failedPrecondition
      case .busy: .resourceExhausted
      case .noSpace: .notEnoughSpace
      case .malformed: .invalidArgument
      default: .internalError(description: error.message)
      }
  }
}

/// Why models on this machine cannot be listed or deleted.
public enum DownloadedModelError: Error, Hashable, Sendable {
  /// The model is not on this machine.
  case notFound
  /// Its files cannot be read or removed.
  case fileIOError(description: String)
  /// Anything else.
  case internalError(description: String)

  init(_ error: StoreError) {
    self =
      switch error.kind {
      case .notFound, .notDownloaded: .notFound
      case .fileFailed, .noSpace: .fileIOError(description: error.message)
      default: .internalError(description: error.message)
      }
  }
}
