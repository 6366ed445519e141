import OcellusPlatform

/// The clock by which strategies are timed; tests replace it.
package struct TuningClock: Sendable {
  /// Returns the time in nanoseconds.
  package var now: @Sendable () -> Int
  /// Runs a strategy's work and returns the nanoseconds that it took.
  package var time: @Sendable (_ strategy: String, _ work: () -> Void) -> Int

  package init(
    now: @escaping @Sendable () -> Int,
    time: @escaping @Sendable (_ strategy: String, _ work: () -> Void) -> Int
  ) {
    (self.now, self.time) = (now, time)
  }

  /// The clock of the system.
  static let monotonic = TuningClock(
    now: { MonotonicTime.now.nanoseconds },
    time: { _, work in
      let start = MonotonicTime.now.nanoseconds
      work()
      return MonotonicTime.now.nanoseconds - start
    })
}
