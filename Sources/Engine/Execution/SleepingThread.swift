import OcellusPlatform
import Synchronization

/// A thread that sleeps when it has nothing to do, until its maker wakes it.
///
/// It has a semaphore of its own: at a condition that all share, who is woken needs the lock that
/// its waker still holds, and so sleeps twice.
///
/// Unchecked: `handle` is its maker's, and `processors` belong to whoever of the two is awake.
final class SleepingThread: @unchecked Sendable {
  private let body: @Sendable (SleepingThread) -> Void
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let isAsleep = Atomic(true)
  private var handle = pthread_t()
  /// Where the thread may run, while it is kept from where its waker runs.
  private var processors: ProcessorSet?

  /// Starts a thread that sleeps, and when it is woken calls `body`; `nil` if the system has no
  /// thread left.
  init?(_ body: @escaping @Sendable (SleepingThread) -> Void) {
    self.body = body
    sem_init(semaphore, 0, 0)
    let argument = Unmanaged.passRetained(self)
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let thread = Unmanaged<SleepingThread>.fromOpaque(argument).takeRetainedValue()
        thread.waitForWaker()
        thread.body(thread)
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return nil
    }
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits until `body` has returned.
  func join() {
    pthread_join(handle, nil)
  }

  // MARK: Of the maker

  /// Wakes the thread if it sleeps, on another processor than this one.
  func wake() {
    // Most often it does not, and to read a word disturbs it less than to write it.
    guard isAsleep.load(ordering: .sequentiallyConsistent),
      isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    keepFromThisProcessor()
    sem_post(semaphore)
  }

  /// In a virtual machine a processor without work counts as lent to others, so that the system
  /// wakes a thread where its waker runs, and goes on to run, for milliseconds.
  private func keepFromThisProcessor() {
    guard let all = ProcessorSet(of: handle), let others = all.withoutCurrent else { return }
    if others.confine(handle) { processors = all }
  }

  // MARK: Of the thread itself

  /// Sleeps until it is woken, unless there is work; whoever brings some calls `wake` behind it.
  func sleep(unless hasWork: () -> Bool) {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // Work that came before is seen here; who brings some later sees that this thread sleeps.
    if hasWork(), isAsleep.exchange(false, ordering: .sequentiallyConsistent) { return }
    waitForWaker()
  }

  private func waitForWaker() {
    // A signal interrupts the wait, and it goes on.
    while sem_wait(semaphore) != 0 {}
    if let processors {
      processors.confine(pthread_self())
      self.processors = nil
    }
  }
}
