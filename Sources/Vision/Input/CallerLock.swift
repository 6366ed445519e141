import Synchronization

/// Lets callers in one after the other.
final class CallerLock: Sendable {
  private let mutex = Mutex<Void>(())

  /// Calls `body` when nobody else is in.
  func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // `Mutex.withLock` wants a result that can be sent away from what it guards; ours comes out by
    // way of a variable, for what a network says stays with its caller.
    var result: Result<Value, Failure>?
    mutex.withLock { _ in
      result = Result { () throws(Failure) in try body() }
    }
    guard let result else { preconditionFailure("the lock did not call its body") }
    return try result.get()
  }
}
