import OcellusPlatform

/// A work item of a step, with the thread that ran it and its times.
public struct WorkItemTime: Sendable, Equatable {
  /// The thread's index; 0 is the one that runs the model.
  public let thread: Int
  /// The index of the work item in the step.
  public let item: Int
  /// The start, in nanoseconds of the system's monotonic clock.
  public let start: Int
  /// The end, in nanoseconds of the same clock.
  public let end: Int
}

/// A log of the work items of a step, written by the threads that run them.
///
/// Unchecked: every thread writes entries of its own, and the log is read and cleared only while no
/// work item is left.
final class WorkItemLog: @unchecked Sendable {
  /// The most entries of one thread; later work items run without being logged.
  private static let capacity = 256
  /// The distance between the threads' counts: a cache line, to avoid false sharing.
  private static let countStride = 8

  private let times: UnsafeMutablePointer<WorkItemTime>
  private let counts: UnsafeMutablePointer<Int>
  private let threadCount: Int

  init(threadCount: Int) {
    self.threadCount = threadCount
    times = .allocate(capacity: threadCount * Self.capacity)
    counts = .allocate(capacity: threadCount * Self.countStride)
    counts.initialize(repeating: 0, count: threadCount * Self.countStride)
  }

  deinit {
    times.deallocate()
    counts.deallocate()
  }

  func clear() { counts.update(repeating: 0, count: threadCount * Self.countStride) }

  /// Runs a work item on a thread and logs its times.
  func time(_ item: Int, on thread: Int, _ body: () -> Void) {
    let start = MonotonicTime.now.nanoseconds
    body()
    let count = counts[thread * Self.countStride]
    guard count < Self.capacity else { return }
    (times + thread * Self.capacity + count).initialize(
      to: WorkItemTime(
        thread: thread, item: item, start: start, end: MonotonicTime.now.nanoseconds))
    counts[thread * Self.countStride] = count + 1
  }

  /// The entries since the log was cleared, thread by thread.
  var items: [WorkItemTime] {
    (0..<threadCount).flatMap { thread in
      UnsafeBufferPointer(
        start: times + thread * Self.capacity, count: counts[thread * Self.countStride])
    }
  }
}
