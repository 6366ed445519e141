import OcellusPlatform

/// Work on a thread of its own that shows values one by one, and goes on only when somebody asks for the
/// next: two runs can so be looked at side by side, whose tensors exist at the moment only.
///
/// Unchecked: everything is read and written with the lock held.
final class Handover<Value>: @unchecked Sendable {
  private enum Turn { case maker, taker }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var handle = pthread_t()
  private var isStarted = false
  private var turn = Turn.taker
  private var value: Value?
  private var isOver = false
  private var isGivenUp = false
  private var failure: (any Error)?
  private var work: ((Handover) throws -> Void)?

  /// Work that calls `show` for every value.
  init(_ work: @escaping (Handover) throws -> Void) {
    self.work = work
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  // MARK: On the thread of the work

  /// Shows a value, and waits until somebody asks for the next.
  ///
  /// - Returns: whether anybody still wants to see some.
  func show(_ value: Value) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isGivenUp { return false }
    self.value = value
    turn = .taker
    pthread_cond_broadcast(change)
    while turn == .taker { pthread_cond_wait(change, mutex) }
    return !isGivenUp
  }

  private func workOff() {
    pthread_mutex_lock(mutex)
    while turn == .taker { pthread_cond_wait(change, mutex) }
    let work = isGivenUp ? nil : self.work
    pthread_mutex_unlock(mutex)
    var failure: (any Error)?
    do { try work?(self) } catch { failure = error }
    pthread_mutex_lock(mutex)
    self.failure = failure
    self.work = nil
    value = nil
    isOver = true
    turn = .taker
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  // MARK: On the other thread

  /// The next value, which is valid until this is called again; `nil` behind the last.
  func next() throws -> Value? {
    try start()
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if !isOver {
      turn = .maker
      pthread_cond_broadcast(change)
      while turn == .maker { pthread_cond_wait(change, mutex) }
    }
    if let failure {
      self.failure = nil
      throw failure
    }
    return value
  }

  /// Lets the work come to its end, and waits for that.
  func giveUp() {
    guard isStarted else { return }
    pthread_mutex_lock(mutex)
    isGivenUp = true
    turn = .maker
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
    pthread_join(handle, nil)
    isStarted = false
  }

  private func start() throws(AuditError) {
    if isStarted { return }
    let errand = Unmanaged.passRetained(Errand { self.workOff() })
    let status = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Errand>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, errand.toOpaque())
    guard status == 0 else {
      errand.release()
      throw AuditError("the system has no thread left")
    }
    isStarted = true
  }
}

/// What a thread is given to do: C functions know no generic types.
private final class Errand {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }
}
