/// A clock for the pictures of a stream, some of which have times of their own.
///
/// Pictures without times get the time that has passed. Once a picture had a time, later ones
/// without get the time of the picture before them, because the time that has passed may be later
/// than that of the next one that has.
package struct StreamClock: Sendable {
  private var latest: (time: Duration, instant: ContinuousClock.Instant)?
  /// The last time of a picture of its own.
  private var latestOwn: Duration?
  /// What is added to the times of pictures, if the stream began with pictures without.
  private var shift = Duration.zero

  package init() {}

  /// Returns the time of a picture that is processed at `now`.
  ///
  /// A time that goes backwards is returned, and is an error later on, but does not set the clock
  /// back.
  package mutating func time(
    of picture: SuppliedPicture, at now: ContinuousClock.Instant = .now
  ) -> Duration {
    guard let own = picture.time else {
      let passed = latestOwn == nil ? latest.map { $0.instant.duration(to: now) } : nil
      return advance(to: (latest?.time ?? .zero) + (passed ?? .zero), at: now)
    }
    if latestOwn == nil, let latest {
      shift = latest.time + latest.instant.duration(to: now) - own
    }
    guard own >= latestOwn ?? own else { return own + shift }
    latestOwn = own
    return advance(to: own + shift, at: now)
  }

  private mutating func advance(
    to time: Duration, at now: ContinuousClock.Instant
  ) -> Duration {
    latest = (time, now)
    return time
  }
}
