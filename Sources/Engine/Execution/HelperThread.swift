import OcellusPlatform
import Synchronization

/// A thread that sleeps when it has nothing to do, until its maker wakes it.
///
/// It has a semaphore of its own. With a condition variable that all threads share, a woken thread
/// needs the lock that its waker still holds, and so sleeps twice.
///
/// Unchecked: only the maker uses `handle`, and only the one of the two threads that is awake uses
/// `processors`.
final class HelperThread: @unchecked Sendable {
  private let body: @Sendable (HelperThread) -> Void
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let isAsleep = Atomic(true)
  private var handle = pthread_t()
  /// The thread's processors, to be restored once it runs; set while it is kept off its waker's
  /// one.
  private var processors: ProcessorSet?

  /// Starts a thread that sleeps, and calls `body` when it is woken.
  ///
  /// The result is `nil` if the system cannot make another thread.
  init?(_ body: @escaping @Sendable (HelperThread) -> Void) {
    self.body = body
    sem_init(semaphore, 0, 0)
    let argument = Unmanaged.passRetained(self)
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let thread = Unmanaged<HelperThread>.fromOpaque(argument).takeRetainedValue()
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

  // MARK: For the maker

  /// Wakes the thread if it sleeps, on another processor than this one.
  func wake() {
    // Most often it is awake, and reading the word disturbs it less than writing it.
    guard isAsleep.load(ordering: .sequentiallyConsistent),
      isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    keepFromThisProcessor()
    sem_post(semaphore)
  }

  /// Keeps the thread off this processor while it wakes.
  ///
  /// In a virtual machine an idle processor counts as preempted by the host, so the system would
  /// wake the thread on its waker's processor, which the waker goes on using for milliseconds.
  private func keepFromThisProcessor() {
    guard let all = ProcessorSet(of: handle), let others = all.withoutCurrent else { return }
    if others.confine(handle) { processors = all }
  }

  // MARK: For the thread itself

  /// Sleeps until it is woken, unless there is work; whoever adds work calls `wake` afterwards.
  func sleep(unless hasWork: () -> Bool) {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // Work that was added before is seen here; whoever adds work later sees that this thread
    // sleeps.
    if hasWork(), isAsleep.exchange(false, ordering: .sequentiallyConsistent) { return }
    waitForWaker()
  }

  private func waitForWaker() {
    // A signal may interrupt the wait, which then starts again.
    while sem_wait(semaphore) != 0 {}
    if let processors {
      processors.confine(pthread_self())
      self.processors = nil
    }
  }
}
