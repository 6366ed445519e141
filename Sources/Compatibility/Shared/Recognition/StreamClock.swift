/// Times for the pictures of a stream: their own, or for those without one the time that passed.
struct StreamClock: Sendable {
  private var latest: (time: Duration, instant: ContinuousClock.Instant)?

  mutating func time(of picture: SuppliedPicture) -> Duration {
    let now = ContinuousClock.now
    let expected = latest.map { $0.time + $0.instant.duration(to: now) } ?? .zero
    let time = picture.time ?? expected
    // A late picture is an error later on; the clock does not follow it back.
    if time >= latest?.time ?? time { latest = (time, now) }
    return time
  }
}
