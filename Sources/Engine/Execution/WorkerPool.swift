import OcellusPlatform
import Synchronization

/// Threads that wait for parts: spinning for a moment, since the next step of a model comes
/// soon, then asleep.
///
/// Every thread has a queue of neighbouring parts, about the same ones in every step, so that it
/// finds in its own cache what it wrote in the step before. Only when its queue is empty does it
/// take parts from the far ends of others.
///
/// Unchecked: `work` and `log` are written only while no part is left, and read only by a
/// thread that has claimed a part, until which is done `run` does not return.
final class WorkerPool: @unchecked Sendable {
  /// The parts of each thread that nobody has claimed, the caller's first.
  ///
  /// The first part is in the lower half of a word, the end in the upper.
  private let queues: UnsafeMutablePointer<Atomic<UInt64>>
  private let queueCount: Int
  /// Queues apart by a cache line, so that claiming a part disturbs nobody else.
  private static let queueStride = 8
  private let completed = Atomic<Int>(0)
  /// Counts the jobs, for helpers to see that there is a new one.
  private let jobNumber = Atomic<UInt64>(0)
  private let isStopping = Atomic(false)
  private let control: RunControl
  private var work: PartWork?
  /// Where parts are taken down, if somebody watches them; changed only while no part is left.
  var log: PartLog?
  private var helpers: [SleepingThread] = []

  /// How often a thread looks for work before it sleeps: for some hundreds of microseconds.
  ///
  /// Steps that are not shared are over by then, and waking a thread takes about fifty.
  private static let spinCount = 500_000

  init(helperCount: Int, control: RunControl) {
    self.control = control
    queueCount = helperCount + 1
    queues = .allocate(capacity: queueCount * Self.queueStride)
    for queue in 0..<queueCount { (queues + queue * Self.queueStride).initialize(to: Atomic(0)) }
    for queue in 1..<queueCount {
      // Fewer threads than asked for are slower, not wrong.
      guard let helper = SleepingThread({ self.work(on: $0, onQueue: queue) }) else { break }
      helpers.append(helper)
    }
  }

  deinit { queues.deallocate() }

  /// Ends the threads; the pool cannot be used afterwards.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wakeHelpers()
    for helper in helpers { helper.join() }
    // They hold the pool as the pool holds them.
    helpers = []
  }

  func run(_ partCount: Int, _ work: PartWork) {
    self.work = work
    completed.store(0, ordering: .relaxed)
    for queue in 0..<queueCount {
      let first = partCount * queue / queueCount, end = partCount * (queue + 1) / queueCount
      queues[queue * Self.queueStride].store(
        UInt64(end) << 32 | UInt64(first), ordering: .releasing)
    }
    jobNumber.wrappingAdd(1, ordering: .sequentiallyConsistent)
    wakeHelpers()
    workOffParts(from: 0)
    var spins = 0
    while completed.load(ordering: .acquiring) < partCount {
      spins += 1
      if spins > Self.spinCount { sched_yield() }
    }
    self.work = nil
  }

  /// Does the parts of a queue in their order, then what is left of others.
  private func workOffParts(from queue: Int) {
    for distance in 0..<queueCount {
      let other = (queue + distance) % queueCount
      while let part = claim(in: other, atEnd: distance > 0) {
        if !control.isOver { run(part, from: queue) }
        completed.wrappingAdd(1, ordering: .acquiringAndReleasing)
      }
    }
  }

  private func run(_ part: Int, from queue: Int) {
    if let log {
      log.time(part, on: queue) { work?.run(part) }
    } else {
      work?.run(part)
    }
  }

  /// Claims a part of a queue, if there is one.
  ///
  /// The word alone says which, so it does not matter whether a thread comes late and finds parts
  /// of a job that it has not heard of: they are to be done as well.
  private func claim(in queue: Int, atEnd: Bool) -> Int? {
    let word = queues + queue * Self.queueStride
    var state = word.pointee.load(ordering: .acquiring)
    while true {
      let first = state & 0xFFFF_FFFF, end = state >> 32
      guard first < end else { return nil }
      let (won, current) = word.pointee.compareExchange(
        expected: state, desired: atEnd ? state - (1 << 32) : state + 1,
        ordering: .acquiringAndReleasing)
      if won { return Int(atEnd ? end - 1 : first) }
      state = current
    }
  }

  // MARK: Helper threads

  private func wakeHelpers() {
    for helper in helpers { helper.wake() }
  }

  private func work(on thread: SleepingThread, onQueue queue: Int) {
    var lastJob: UInt64 = 0
    while !isStopping.load(ordering: .relaxed) {
      let job = jobNumber.load(ordering: .acquiring)
      if job != lastJob {
        lastJob = job
        workOffParts(from: queue)
      } else if !spinForWork(after: job) {
        thread.sleep { hasWork(after: job) }
      }
    }
  }

  private func hasWork(after job: UInt64) -> Bool {
    jobNumber.load(ordering: .sequentiallyConsistent) != job
      || isStopping.load(ordering: .sequentiallyConsistent)
  }

  private func spinForWork(after job: UInt64) -> Bool {
    for _ in 0..<Self.spinCount where hasWork(after: job) { return true }
    return false
  }
}
