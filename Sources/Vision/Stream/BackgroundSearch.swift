/// How far the search is that goes on behind the caller's back, and how long searches take.
struct BackgroundSearch {
  private enum Phase {
    case idle
    /// The detector is at work.
    case searching
    /// The classifier is.
    case naming
  }

  /// The share of the time that may be waited for a search: the rest is for waking up and answering.
  private static let waitingShare = 0.8

  private var phase = Phase.idle
  private var failure: VisionError?
  /// How long a search takes, by the last ones; `nil` before the first.
  private var expected: Duration?

  /// Whether anything goes on.
  var isBusy: Bool { phase != .idle }
  /// Whether objects are still to be found.
  var isSearching: Bool { phase == .searching }

  /// Begins a search, if there is none; `false` if there is.
  mutating func begin() -> Bool {
    guard !isBusy else { return false }
    phase = .searching
    return true
  }

  /// Notes that the objects are known, but not their names.
  mutating func endSearch(after time: Duration) {
    phase = .naming
    expected = expected.map { $0 * 0.75 + time * 0.25 } ?? time
  }

  /// Notes that everything is known, or what was wrong.
  mutating func end(with failure: VisionError? = nil) {
    phase = .idle
    if let failure { self.failure = failure }
  }

  /// What was wrong with the last search, told once.
  mutating func takeFailure() -> VisionError? {
    defer { failure = nil }
    return failure
  }

  /// How long to wait for the search of a picture whose answer is due after `latency`: not at all for one that
  /// takes longer.
  func patience(within latency: Duration) -> Duration {
    let limit = latency * Self.waitingShare
    return expected ?? .zero <= limit ? limit : .zero
  }
}
