import Synchronization

/// Something that takes a while to make from files: made at its first use, and kept.
///
/// What fails is tried again: the files may be there the next time.
final class LoadedOnce<Value: Sendable>: Sendable {
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
