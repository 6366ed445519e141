import Synchronization

/// A lock whose closure may return values that are not sendable.
final class CallerLock: Sendable {
  private let mutex = Mutex<Void>(())

  /// Calls `body` while no other caller holds the lock.
  func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // `Mutex.withLock` requires a sendable result. A variable avoids that: the network's outputs
    // stay with the caller.
    var result: Result<Value, Failure>?
    mutex.withLock { _ in
      result = Result { () throws(Failure) in try body() }
    }
    guard let result else { preconditionFailure("the lock did not call its body") }
    return try result.get()
  }
}
