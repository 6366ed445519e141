/// The place where an object is, once it has stayed there long enough.
struct SettledPlace<Place: Equatable & Sendable>: Sendable {
  /// Where it is; nil as long as it has not stayed anywhere.
  private(set) var place: Place?
  private var candidate: (place: Place, since: Duration)?

  /// Takes a look at the object, at no clear place if that is nil.
  ///
  /// Returns whether it settled at another place than before.
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
