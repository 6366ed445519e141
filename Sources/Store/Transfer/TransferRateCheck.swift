/// The check of the minimum transfer rate, against servers that send a byte now and then.
struct TransferRateCheck {
  private let minimumRate: Int
  private let window: Duration
  private var start: ContinuousClock.Instant?
  private var byteCount = 0

  init(_ conditions: FetchConditions) {
    minimumRate = conditions.minimumRate
    window = conditions.idleTimeout
  }

  /// The minimum number of bytes within a window.
  private var minimumBytes: Double { Double(minimumRate) * (window / .seconds(1)) }

  /// Adds received bytes; returns whether too few were received in the last window.
  ///
  /// The first window begins with the first bytes; before that, the server may take its time.
  mutating func isTooSlow(with count: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    byteCount += count
    guard let start else {
      start = now
      return false
    }
    guard now - start >= window else { return false }
    if Double(byteCount) < minimumBytes { return true }
    (self.start, byteCount) = (now, 0)
    return false
  }
}
