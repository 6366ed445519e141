package import OcellusStore

/// A failure to provide a hosted model.
public enum DownloadError: Error, Hashable, Sendable {
  /// The host offers no model of this name.
  case notFound
  /// The server rejects the credentials.
  case permissionDenied
  /// The network or the server is not available, or may not be used now.
  case failedPrecondition
  /// The server has had too many requests, or another process or task has been updating the model
  /// for too long.
  case resourceExhausted
  /// The disk is full.
  case notEnoughSpace
  /// A name, an address or a manifest is invalid, or the server does not understand the request.
  case invalidArgument
  /// The name of the model is empty.
  case emptyModelName
  /// Anything else.
  case internalError(description: String)

  package init(_ error: StoreError) {
    self =
      switch error.kind {
      case .notFound, .notDownloaded: .notFound
      case .refused: .permissionDenied
      case .unreachable, .timedOut, .notAllowed: .failedPrecondition
      case .busy: .resourceExhausted
      case .noSpace: .notEnoughSpace
      case .malformed: .invalidArgument
      case .serverFailed where error.status == 429: .resourceExhausted
      case .serverFailed where error.status == 400: .invalidArgument
      case .serverFailed where error.isTemporary: .failedPrecondition
      default: .internalError(description: error.message)
      }
  }
}

/// A failure to list or delete models on this machine.
public enum DownloadedModelError: Error, Hashable, Sendable {
  /// The model is not on this machine.
  case notFound
  /// The files of the model cannot be read or removed.
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
