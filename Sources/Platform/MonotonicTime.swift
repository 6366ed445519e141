/// A time on the monotonic clock, which is the same in every process of the machine.
package struct MonotonicTime {
  /// The nanoseconds since an arbitrary time in the past.
  package let nanoseconds: Int

  /// The current time.
  package static var now: MonotonicTime { processorTime(CLOCK_MONOTONIC) }

  /// Returns the processor time that a process has used, on its own clock.
  package static func processorTime(_ clock: clockid_t) -> MonotonicTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  /// The seconds from this time to now.
  package var secondsToNow: Double {
    Double(Self.now.nanoseconds - nanoseconds) / 1e9
  }

  /// The milliseconds from this time to now.
  package var millisecondsToNow: Double { secondsToNow * 1e3 }
}
