/// A state of an object, such as its side of a line, with a minimum dwell time.
struct DwellState<Place: Equatable & Sendable>: Sendable {
  /// The accepted state; `nil` until there is one.
  private(set) var place: Place?
  private var candidate: (place: Place, since: Duration)?

  /// Observes the object's present state, `nil` if that is unclear.
  ///
  /// - Returns: Whether a new state was accepted.
  mutating func observe(_ seen: Place?, at time: Duration, dwell: Duration) -> Bool {
    guard let seen, seen != place else {
      candidate = nil
      return false
    }
    if candidate?.place != seen { candidate = (seen, time) }
    guard let candidate, time - candidate.since >= dwell else { return false }
    place = seen
    self.candidate = nil
    return true
  }
}
