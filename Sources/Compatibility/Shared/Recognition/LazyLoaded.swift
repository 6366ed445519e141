import Synchronization

/// A value that is loaded on first use and then kept.
///
/// A failed load is tried again on the next use, because files may have become available.
final class LazyLoaded<Value: Sendable>: Sendable {
  private let kept = Mutex<Value?>(nil)
  private let load: @Sendable () throws(ProcessingError) -> Value

  init(_ load: @escaping @Sendable () throws(ProcessingError) -> Value) {
    self.load = load
  }

  func value() throws(ProcessingError) -> Value {
    try kept.withLock { kept throws(ProcessingError) in
      if let kept { return kept }
      let value = try load()
      kept = value
      return value
    }
  }
}
