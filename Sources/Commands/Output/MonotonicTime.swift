import Glibc

/// A moment on the clock that never jumps; the same clock in every process of the machine.
struct MonotonicTime {
  /// Since an arbitrary moment before.
  let nanoseconds: Int

  /// This moment.
  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  /// The seconds from then to this moment.
  var secondsToNow: Double {
    Double(Self.now.nanoseconds - nanoseconds) / 1e9
  }

  /// The milliseconds from then to this moment.
  var millisecondsToNow: Double { secondsToNow * 1e3 }
}
