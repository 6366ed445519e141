/// A value that threads share, and whose changes they can wait for.
///
/// Unchecked: the value is read and written only while the lock is held.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  /// Reads and perhaps changes the value, and wakes all waiting threads to check it again.
  package func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(change)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `body` returns a result; it is called again after each change.
  ///
  /// `body` may change the value when it returns a result.
  package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(change)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(change, mutex)
    }
  }

  /// Waits for a limited time until `body` returns a result; `nil` if it did not.
  package func wait<Result>(
    upTo limit: Duration, until body: (inout Value) -> Result?
  ) -> Result? {
    var deadline = timespec(after: limit)
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(change)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&value) { return result }
      if pthread_cond_timedwait(change, mutex, &deadline) == ETIMEDOUT { return body(&value) }
    }
  }
}

extension timespec {
  /// Returns a time in the future, on the clock that condition variables use.
  fileprivate init(after duration: Duration) {
    self.init()
    clock_gettime(CLOCK_REALTIME, &self)
    // The limit of a century avoids overflow.
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3_155_760_000)).components
    let nanoseconds = Int64(tv_nsec) + attoseconds / 1_000_000_000
    tv_sec += Int(seconds + nanoseconds / 1_000_000_000)
    tv_nsec = Int(nanoseconds % 1_000_000_000)
  }
}
