/// Finds out whether runs are faster if threads share their steps, or on the caller's thread alone.
///
/// Only a trial can tell, for the answer depends on the machine. If processors share no cache,
/// which may happen to a virtual machine for minutes at a time, data passes between them so slowly
/// that models of less than a millisecond are faster on one thread; and if all processors are busy,
/// the other threads start late. So a few runs are timed each way, and again at intervals.
package struct ThreadingTrial {
  /// Whether threads share the steps of the next run.
  package private(set) var shares = true
  /// The number of runs until the next trial; the very first run touches new memory, and is not
  /// timed.
  private var pause = 1
  private var nextPause = Self.firstPause
  /// The fastest run in a trial's first half, in nanoseconds; set only in its second half.
  ///
  /// The first half runs as the runs before it did, the second half the other way.
  private var timeToBeat: Int?
  private var fastest = Int.max
  private var timedRuns = 0

  /// The number of runs that are timed each way, so that at least one of them is undisturbed.
  private static let runsPerTrial = 3
  /// The number of runs between the first trial and the second.
  private static let firstPause = 8
  /// The most runs between later trials: then one run in two hundred uses the slower way.
  private static let longestPause = 512
  /// The nanoseconds beyond which runs are not tried on one thread.
  ///
  /// Their steps are long enough to hide most delays, and a wrong choice would cost more.
  private static let longestTried = 2_000_000

  package init() {}

  /// Returns whether the next run is timed, and counts it if it is not.
  package mutating func timesNextRun() -> Bool {
    guard pause > 0 else { return true }
    pause -= 1
    return false
  }

  /// Records the time that a timed run took.
  package mutating func runEnded(after nanoseconds: Int) {
    fastest = min(fastest, nanoseconds)
    timedRuns += 1
    guard timedRuns == Self.runsPerTrial else { return }
    if let timeToBeat {
      if fastest > timeToBeat { shares.toggle() }
      finish()
    } else if shares, fastest > Self.longestTried {
      finish()
    } else {
      timeToBeat = fastest
      shares.toggle()
      beginRow()
    }
  }

  private mutating func beginRow() {
    fastest = .max
    timedRuns = 0
  }

  private mutating func finish() {
    beginRow()
    timeToBeat = nil
    pause = nextPause
    nextPause = min(4 * nextPause, Self.longestPause)
  }
}
