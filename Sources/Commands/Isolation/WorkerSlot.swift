import OcellusPlatform
import Synchronization

/// The state that a worker process shares with its parent.
struct WorkerSlot: ~Copyable {
  /// The current work item plus one; zero between items.
  private let occupant = Atomic<Int>(0)
  private let processorTimeAtStart = Atomic<Int>(0)
  private let clockAtStart = Atomic<Int>(0)

  /// The current work item of the worker.
  var item: Int? {
    let occupant = occupant.load(ordering: .acquiring)
    return occupant == 0 ? nil : occupant - 1
  }

  /// Records that the calling process starts a work item.
  func begin(_ item: Int) {
    processorTimeAtStart.store(
      MonotonicTime.processorTime(CLOCK_PROCESS_CPUTIME_ID).nanoseconds, ordering: .relaxed)
    clockAtStart.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
    occupant.store(item + 1, ordering: .releasing)
  }

  /// Records that the work item is finished.
  func finish() {
    occupant.store(0, ordering: .releasing)
  }

  /// Returns whether the work item has exceeded a limit, given the worker's processor time.
  func isOverdue(processorTime: MonotonicTime, limits: WorkerLimits) -> Bool {
    guard item != nil else { return false }
    let used = processorTime.nanoseconds - processorTimeAtStart.load(ordering: .relaxed)
    let passed = MonotonicTime.now.nanoseconds - clockAtStart.load(ordering: .relaxed)
    return Double(used) > limits.secondsPerItem * 1e9
      || Double(passed) > limits.elapsedSecondsPerItem * 1e9
  }
}
