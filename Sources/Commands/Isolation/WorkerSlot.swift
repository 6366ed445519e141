import OcellusPlatform
import Synchronization

/// What a worker process tells its parent while it works; it lies in shared memory.
struct WorkerSlot: ~Copyable {
  /// The piece it works on plus one; zero between pieces.
  private let occupant = Atomic<Int>(0)
  private let processorTimeAtStart = Atomic<Int>(0)
  private let clockAtStart = Atomic<Int>(0)

  /// The piece that the worker works on.
  var piece: Int? {
    let occupant = occupant.load(ordering: .acquiring)
    return occupant == 0 ? nil : occupant - 1
  }

  /// Notes that the calling process begins a piece.
  func begin(_ piece: Int) {
    processorTimeAtStart.store(
      MonotonicTime.processorTime(CLOCK_PROCESS_CPUTIME_ID).nanoseconds, ordering: .relaxed)
    clockAtStart.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
    occupant.store(piece + 1, ordering: .releasing)
  }

  /// Notes that the piece is done.
  func finish() {
    occupant.store(0, ordering: .releasing)
  }

  /// Whether the piece has taken too long for a worker that has used so much processor time.
  func isOverdue(processorTime: MonotonicTime, limits: WorkerLimits) -> Bool {
    guard piece != nil else { return false }
    let used = processorTime.nanoseconds - processorTimeAtStart.load(ordering: .relaxed)
    let passed = MonotonicTime.now.nanoseconds - clockAtStart.load(ordering: .relaxed)
    return Double(used) > limits.secondsPerPiece * 1e9
      || Double(passed) > limits.clockSecondsPerPiece * 1e9
  }
}
