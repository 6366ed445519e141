import OcellusPlatform
import Synchronization

/// A fetch of a model.
///
/// The fetch continues until it is done or `cancel()` is called, even if no task waits for it.
public final class ModelFetch: Sendable {
  /// The progress, for one consumer; buffers only the latest value, and ends with the fetch.
  public let progress: AsyncStream<FetchProgress>

  private let news: AsyncStream<FetchProgress>.Continuation
  private let first = Promise<Result<StoredModel, StoreError>>()
  private let last = Promise<Result<StoredModel, StoreError>>()
  private let cancellation = FetchCancellation()

  /// Starts the fetch on a thread of its own.
  init(
    local: @escaping @Sendable () -> StoredModel?,
    update:
      @escaping @Sendable (
        FetchCancellation, @escaping @Sendable (FetchProgress) -> Void
      ) throws(StoreError) -> StoredModel
  ) {
    (progress, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    SystemThread.run { [news, first, last, cancellation] in
      if let local = local() { first.fulfil(.success(local)) }
      let result = Result { () throws(StoreError) in
        try update(cancellation) { news.yield($0) }
      }
      news.finish()
      first.fulfil(result)
      last.fulfil(result)
    }
  }

  /// The first model that the policy allows; with `localThenUpdate`, that may be the local version.
  public var model: StoredModel {
    get async throws(StoreError) { try await first.value.get() }
  }

  /// The model after the update; throws if the update failed, which leaves the local version
  /// intact.
  public var updated: StoredModel {
    get async throws(StoreError) { try await last.value.get() }
  }

  /// Cancels the fetch; the next fetch resumes from what was received.
  public func cancel() { cancellation.cancel() }
}

/// A value that is set once and can be awaited.
private final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Mutex(State())

  /// Sets the value and resumes all waiting tasks; further calls are ignored.
  func fulfil(_ value: Value) {
    let waiting = state.withLock { state in
      guard state.value == nil else { return [CheckedContinuation<Value, Never>]() }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}
