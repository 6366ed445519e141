/// Which version of a model is wanted, and whether to wait for it.
public enum FetchPolicy: String, Sendable, CaseIterable {
  /// What is on this machine; the network is never used.
  case localOnly = "local"
  /// What is on this machine, at once, and then an update in the background; the first time like
  /// `latest`.
  case localThenUpdate = "update"
  /// The newest version that the host offers: an error if that cannot be had.
  case latest
}

/// How far a fetch is.
public enum FetchProgress: Sendable, Hashable {
  /// The host is asked what it offers.
  case asking
  /// Another process or task is updating the same model.
  case waiting
  /// Bytes that are there, of those that there will be where that is known.
  case downloading(received: Int, total: Int?)
  /// The new version is there, and runs its self-test.
  case testing
}
