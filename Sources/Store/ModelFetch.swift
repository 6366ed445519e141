import OcellusPlatform
import Synchronization

/// A model that is being fetched.
///
/// The work goes on whether somebody waits for it or not, until `cancel()`.
public final class ModelFetch: Sendable {
  /// How far it is, for one reader, who sees the newest news only; ends with the fetch.
  public let progress: AsyncStream<FetchProgress>

  private let news: AsyncStream<FetchProgress>.Continuation
  private let first = Promise<Result<StoredModel, StoreError>>()
  private let last = Promise<Result<StoredModel, StoreError>>()
  private let cancellation = FetchCancellation()

  /// Starts the work, on a thread of its own.
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

  /// The model, as soon as the policy has one: with `localThenUpdate` that may be before the update.
  public var model: StoredModel {
    get async throws(StoreError) { try await first.value.get() }
  }

  /// The model behind the update, or why there was none; the model before it is still there.
  public var updated: StoredModel {
    get async throws(StoreError) { try await last.value.get() }
  }

  /// Ends the fetch; what was received is gone on with the next time.
  public func cancel() { cancellation.cancel() }
}

/// A value that will be there once.
private final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Mutex(State())

  /// Gives those who wait, and those who come, the value; a second one is ignored.
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
