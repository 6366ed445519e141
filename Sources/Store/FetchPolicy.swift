/// The choice between a local and the latest version of a model.
public enum FetchPolicy: String, Sendable, CaseIterable {
  /// Uses the local version, and never the network.
  case localOnly = "local"
  /// Returns the local version at once, and updates it in the background.
  ///
  /// Without a local version, behaves like `latest`.
  case localThenUpdate = "update"
  /// Waits for the newest version of the host, and fails if it is not available.
  case latest
}

/// The progress of a fetch.
public enum FetchProgress: Sendable, Hashable {
  /// The host is being asked for its versions.
  case asking
  /// Another process or task is updating the same model.
  case waiting
  /// The files are being received; the total is `nil` if it is unknown.
  case downloading(received: Int, total: Int?)
  /// The new version is complete, and its self-test is running.
  case testing
}
