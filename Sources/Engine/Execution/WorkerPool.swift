import Glibc
import Synchronization

/// Threads that wait for tiles: spinning for a moment, since the next step of a model comes
/// soon, then asleep.
///
/// Unchecked: `body` is written only while no tile is left, and read only by a thread that has
/// claimed a tile, until which is done `run` does not return.
final class WorkerPool: @unchecked Sendable {
  /// The job's number in the upper half, the tiles that nobody has claimed in the lower.
  ///
  /// Both in one word, so that a thread that was late can never claim a tile of another job.
  private let unclaimed = Atomic<UInt64>(0)
  private let completed = Atomic<Int>(0)
  private let sleepers = Atomic<Int>(0)
  private let isStopping = Atomic(false)
  private var body: ((Int) -> Void)?
  private var jobNumber: UInt64 = 0
  private var threads: [pthread_t] = []
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let wakeUp = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// How often a thread looks for work before it sleeps: some tens of microseconds.
  private static let spinCount = 4000

  init(helperCount: Int) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(wakeUp, nil)
    for _ in 0..<helperCount {
      var thread = pthread_t()
      let pool = Unmanaged.passRetained(self)
      let status = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let pool = Unmanaged<WorkerPool>.fromOpaque(argument).takeRetainedValue()
          pool.work()
          return nil
        }, pool.toOpaque())
      // Fewer threads than asked for are slower, not wrong.
      if status == 0 { threads.append(thread) } else { pool.release() }
    }
  }

  deinit {
    pthread_cond_destroy(wakeUp)
    pthread_mutex_destroy(mutex)
    wakeUp.deallocate()
    mutex.deallocate()
  }

  /// Ends the threads; the pool cannot be used afterwards.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wakeSleepers()
    for thread in threads { pthread_join(thread, nil) }
  }

  func run(_ tileCount: Int, _ body: @escaping (Int) -> Void) {
    self.body = body
    completed.store(0, ordering: .relaxed)
    jobNumber += 1
    unclaimed.store(jobNumber << 32 | UInt64(tileCount), ordering: .sequentiallyConsistent)
    if sleepers.load(ordering: .sequentiallyConsistent) > 0 { wakeSleepers() }
    workOffTiles()
    var spins = 0
    while completed.load(ordering: .acquiring) < tileCount {
      spins += 1
      if spins > Self.spinCount { sched_yield() }
    }
    self.body = nil
  }

  /// Claims a tile, if there is one.
  private func claim() -> Int? {
    var state = unclaimed.load(ordering: .acquiring)
    while state & 0xFFFF_FFFF > 0 {
      let (won, current) = unclaimed.compareExchange(
        expected: state, desired: state - 1, ordering: .acquiringAndReleasing)
      if won { return Int(state & 0xFFFF_FFFF) - 1 }
      state = current
    }
    return nil
  }

  private func workOffTiles() {
    while let tile = claim() {
      body?(tile)
      completed.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
  }

  // MARK: Helper threads

  private func work() {
    while !isStopping.load(ordering: .relaxed) {
      workOffTiles()
      if !spinForWork() { sleep() }
    }
  }

  private var hasWork: Bool {
    unclaimed.load(ordering: .sequentiallyConsistent) & 0xFFFF_FFFF > 0
      || isStopping.load(ordering: .sequentiallyConsistent)
  }

  private func spinForWork() -> Bool {
    for _ in 0..<Self.spinCount where hasWork { return true }
    return false
  }

  private func sleep() {
    pthread_mutex_lock(mutex)
    sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while !hasWork { pthread_cond_wait(wakeUp, mutex) }
    sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    pthread_mutex_unlock(mutex)
  }

  private func wakeSleepers() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(wakeUp)
    pthread_mutex_unlock(mutex)
  }
}
