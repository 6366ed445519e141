/// A state of an object, such as its side of a line, with a minimum dwell time.
struct DwellState<Place: Equatable & Sendable>: Sendable {
  /// The accepted state; `nil` until there is one.
  private(set) var state: Place?
  private var candidate: (state: Place, since: Duration)?

  /// Observes the object's present state, `nil` if that is unclear.
  ///
  /// - Returns: Whether a new state was accepted.
  mutating func observe(_ seen: Place?, at time: Duration, dwell: Duration) -> Bool {
    guard let seen, seen != state else {
      candidate = nil
      return false
    }
    if candidate?.state != seen { candidate = (seen, time) }
    guard let candidate, time - candidate.since >= dwell else { return false }
    state = seen
    self.candidate = nil
    return true
  }
}
