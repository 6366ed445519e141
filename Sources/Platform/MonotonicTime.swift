/// A moment on the clock that never jumps; the same clock in every process of the machine.
package struct MonotonicTime {
  /// Since an arbitrary moment before.
  package let nanoseconds: Int

  /// This moment.
  package static var now: MonotonicTime { processorTime(CLOCK_MONOTONIC) }

  /// The processor time that a process has used, on its own clock.
  package static func processorTime(_ clock: clockid_t) -> MonotonicTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  /// The seconds from then to this moment.
  package var secondsToNow: Double {
    Double(Self.now.nanoseconds - nanoseconds) / 1e9
  }

  /// The milliseconds from then to this moment.
  package var millisecondsToNow: Double { secondsToNow * 1e3 }
}
