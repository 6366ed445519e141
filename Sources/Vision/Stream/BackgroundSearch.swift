/// The state of the search that runs on a background thread, and the time that searches take.
struct BackgroundSearch {
  private enum Phase {
    case idle
    /// The detector runs.
    case searching
    /// The classifier runs.
    case naming
  }

  /// The share of the latency that may be spent waiting; the rest is for waking up and answering.
  private static let waitingShare = 0.8

  private var phase = Phase.idle
  private var failure: VisionError?
  /// The moving average of the duration of a search; `nil` before the first.
  private var expected: Duration?

  /// Whether a search runs, including its classification.
  var isBusy: Bool { phase != .idle }
  /// Whether the detector still runs.
  var isSearching: Bool { phase == .searching }

  /// Begins a search; returns `false` when one runs already.
  mutating func begin() -> Bool {
    guard !isBusy else { return false }
    phase = .searching
    return true
  }

  /// Notes that the objects have been found but not classified yet.
  mutating func endSearch(after time: Duration) {
    phase = .naming
    expected = expected.map { $0 * 0.75 + time * 0.25 } ?? time
  }

  /// Notes the end of the search, or the error that ended it.
  mutating func end(with failure: VisionError? = nil) {
    phase = .idle
    if let failure { self.failure = failure }
  }

  /// Returns the error of the last search, once.
  mutating func takeFailure() -> VisionError? {
    defer { failure = nil }
    return failure
  }

  /// Returns how long to wait for a search whose answer is due after `latency`.
  ///
  /// It is zero when searches usually take longer.
  func patience(within latency: Duration) -> Duration {
    let limit = latency * Self.waitingShare
    return expected ?? .zero <= limit ? limit : .zero
  }
}
