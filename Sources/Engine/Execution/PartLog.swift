import OcellusPlatform

/// A part of a step, and who did it when.
public struct PartTime: Sendable, Equatable {
  /// The thread: 0 is the one that runs the model.
  public let thread: Int
  /// Which part of the step it was.
  public let part: Int
  /// When it began, in nanoseconds of the system's monotonic clock.
  public let start: Int
  /// When it was done.
  public let end: Int
}

/// Who did which parts of a step, and when; written by the threads that do them.
///
/// Unchecked: every thread has a page of its own, which is read and cleared only while no part is left.
final class PartLog: @unchecked Sendable {
  /// Of one thread: parts beyond these are done without being taken down.
  private static let capacity = 256
  /// Counts apart by a cache line, so that taking down a part disturbs nobody else.
  private static let countStride = 8

  private let times: UnsafeMutablePointer<PartTime>
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

  /// Does a part on a thread, and takes down when.
  func time(_ part: Int, on thread: Int, _ body: () -> Void) {
    let start = MonotonicTime.now.nanoseconds
    body()
    let count = counts[thread * Self.countStride]
    guard count < Self.capacity else { return }
    (times + thread * Self.capacity + count).initialize(
      to: PartTime(
        thread: thread, part: part, start: start, end: MonotonicTime.now.nanoseconds))
    counts[thread * Self.countStride] = count + 1
  }

  /// What was taken down since it was cleared, thread by thread.
  var parts: [PartTime] {
    (0..<threadCount).flatMap { thread in
      UnsafeBufferPointer(
        start: times + thread * Self.capacity, count: counts[thread * Self.countStride])
    }
  }
}
