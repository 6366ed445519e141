/// Finds out whether runs are over sooner if threads share their steps, or if the caller is left alone.
///
/// That is a secret of the machine. Where processors have no cache in common, as those that a virtual machine
/// is lent may not for some minutes, what one of them wrote reaches the other so late that models of less than a
/// millisecond are faster without help; and where all processors are busy, help comes late. So a few runs are
/// timed in either way, now and then again.
package struct SharingTrial {
  /// Whether threads share the steps of the next run.
  package private(set) var shares = true
  /// Runs until the next trial; the first one of all brings in memory, and says nothing.
  private var pause = 1
  private var nextPause = Self.firstPause
  /// In a trial's second half, the nanoseconds of the fastest run in its first, which was done as those before it.
  private var timeToBeat: Int?
  private var fastest = Int.max
  private var timedRuns = 0

  /// How many runs are timed in each way, so that one of them is not disturbed.
  private static let runsInARow = 3
  /// Runs from the first trial to the second.
  private static let firstPause = 8
  /// Runs between later trials, at the most: one in two hundred is done in the slower way then.
  private static let longestPause = 512
  /// Longer runs, in nanoseconds, have steps that make up for most delays, and lose more by a wrong choice.
  private static let longestTried = 2_000_000

  package init() {}

  /// Whether the next run is timed; if it is not, that is taken down.
  package mutating func timesNextRun() -> Bool {
    guard pause > 0 else { return true }
    pause -= 1
    return false
  }

  /// Takes down how long a timed run took.
  package mutating func runEnded(after nanoseconds: Int) {
    fastest = min(fastest, nanoseconds)
    timedRuns += 1
    guard timedRuns == Self.runsInARow else { return }
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
