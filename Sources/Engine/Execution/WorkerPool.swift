import OcellusPlatform
import Synchronization

/// Threads that wait for work items: spinning for a moment, since a model's next step comes soon,
/// then asleep.
///
/// Every thread has a queue of adjacent work items, about the same ones in every step, so that its
/// cache still holds what it wrote in the step before. A thread whose queue is empty steals work
/// items from the far ends of the other queues.
///
/// Unchecked: `work`, `log` and `takesSubnormalsAsZero` are written only while no work item is left.
/// They are read only by a thread that has claimed a work item, and `run` does not return until that
/// is done.
final class WorkerPool: @unchecked Sendable {
  /// The unclaimed work items of each thread, the caller's first.
  ///
  /// The lower half of a word is the first work item, the upper half the end of the range.
  private let queues: UnsafeMutablePointer<Atomic<UInt64>>
  private let queueCount: Int
  /// The distance between queues: a cache line, to avoid false sharing.
  private static let queueStride = 8
  private let completed = Atomic<Int>(0)
  /// The number of jobs so far, by which helpers notice a new one.
  private let jobNumber = Atomic<UInt64>(0)
  private let isStopping = Atomic(false)
  private let control: RunControl
  private var work: ParallelLoop?
  /// The log of work items, if somebody watches them; changed only while no work item is left.
  var log: WorkItemLog?
  /// Whether the helpers take subnormal floats as zero; changed only while no work item is left.
  var takesSubnormalsAsZero = false
  /// Whether each thread does at the moment; the caller sets its own.
  private let treatments: UnsafeMutablePointer<Bool>
  private var helpers: [HelperThread] = []

  /// The number of polls before a thread sleeps, which take some hundreds of microseconds.
  ///
  /// Steps that are not shared end within that time, and waking a thread takes about fifty
  /// microseconds.
  private static let spinCount = 500_000

  init(helperCount: Int, control: RunControl) {
    self.control = control
    queueCount = helperCount + 1
    queues = .allocate(capacity: queueCount * Self.queueStride)
    for queue in 0..<queueCount { (queues + queue * Self.queueStride).initialize(to: Atomic(0)) }
    treatments = .allocate(capacity: queueCount)
    treatments.initialize(repeating: false, count: queueCount)
    for queue in 1..<queueCount {
      // With fewer threads than asked for, runs are slower but correct.
      guard let helper = HelperThread({ self.work(on: $0, onQueue: queue) }) else { break }
      helpers.append(helper)
    }
  }

  deinit {
    queues.deallocate()
    treatments.deallocate()
  }

  /// Ends the threads; the pool cannot be used afterwards.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wakeHelpers()
    for helper in helpers { helper.join() }
    // The threads and the pool hold references to each other.
    helpers = []
  }

  func run(_ itemCount: Int, _ work: ParallelLoop) {
    self.work = work
    completed.store(0, ordering: .relaxed)
    for queue in 0..<queueCount {
      let first = itemCount * queue / queueCount, end = itemCount * (queue + 1) / queueCount
      queues[queue * Self.queueStride].store(
        UInt64(end) << 32 | UInt64(first), ordering: .releasing)
    }
    jobNumber.wrappingAdd(1, ordering: .sequentiallyConsistent)
    wakeHelpers()
    workOffItems(from: 0)
    var spins = 0
    while completed.load(ordering: .acquiring) < itemCount {
      spins += 1
      if spins > Self.spinCount { sched_yield() }
    }
    self.work = nil
  }

  /// Runs the work items of a queue in order, then steals those of the other queues.
  private func workOffItems(from queue: Int) {
    for distance in 0..<queueCount {
      let other = (queue + distance) % queueCount
      while let item = claim(in: other, atEnd: distance > 0) {
        if !control.isOver { run(item, from: queue) }
        completed.wrappingAdd(1, ordering: .acquiringAndReleasing)
      }
    }
  }

  private func run(_ item: Int, from queue: Int) {
    if queue > 0, treatments[queue] != takesSubnormalsAsZero {
      treatments[queue] = takesSubnormalsAsZero
      SubnormalFloats.areZero(takesSubnormalsAsZero)
    }
    if let log {
      log.time(item, on: queue) { work?.run(item) }
    } else {
      work?.run(item)
    }
  }

  /// Claims a work item of a queue, if one is left.
  ///
  /// The word alone identifies the work item. So a late thread may claim work items of a job that
  /// it has not noticed yet: they have to be run as well.
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

  private func work(on thread: HelperThread, onQueue queue: Int) {
    var lastJob: UInt64 = 0
    while !isStopping.load(ordering: .relaxed) {
      let job = jobNumber.load(ordering: .acquiring)
      if job != lastJob {
        lastJob = job
        workOffItems(from: queue)
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
