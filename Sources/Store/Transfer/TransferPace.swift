/// How fast the bytes of an answer come: who sends a byte now and then is no better than who says nothing.
struct TransferPace {
  private let minimumRate: Int
  private let window: Duration
  private var start: ContinuousClock.Instant?
  private var byteCount = 0

  init(_ conditions: FetchConditions) {
    minimumRate = conditions.minimumRate
    window = conditions.idleTimeout
  }

  /// The fewest bytes that have to come within a window.
  private var fewest: Double { Double(minimumRate) * (window / .seconds(1)) }

  /// Notes bytes that came; whether they are too few for the time since the last look.
  ///
  /// The time begins with the first bytes, and what comes before is the server's time to think.
  mutating func isTooSlow(with count: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    byteCount += count
    guard let start else {
      start = now
      return false
    }
    guard now - start >= window else { return false }
    if Double(byteCount) < fewest { return true }
    (self.start, byteCount) = (now, 0)
    return false
  }
}
