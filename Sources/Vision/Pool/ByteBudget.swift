import Synchronization

/// A number of bytes that calls share: each waits for its part, in order of arrival.
///
/// Waiting suspends a task and blocks no thread.
package final class ByteBudget: Sendable {
  private struct Waiter {
    let number: Int
    let bytes: Int
    let caller: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var used = 0
    var partCount = 0
    var waiters: [Waiter] = []
    var lastNumber = 0
  }

  /// The number of bytes.
  package let limit: Int
  private let maximumParts: Int
  private let maximumWaiters: Int
  private let state = Mutex(State())

  /// Creates a budget of `limit` bytes, for at most `maximumParts` parts at a time.
  ///
  /// At most `maximumWaiters` calls wait for a part.
  package init(limit: Int, maximumParts: Int = .max, maximumWaiters: Int = .max) {
    self.limit = limit
    self.maximumParts = maximumParts
    self.maximumWaiters = maximumWaiters
  }

  /// Takes a part if it is free and no other call waits; else returns `nil`.
  package func takeNow(_ bytes: Int) -> Part? {
    let isFree = state.withLock { state in
      guard state.waiters.isEmpty, hasRoom(for: bytes, state) else { return false }
      take(bytes, &state)
      return true
    }
    return isFree ? Part(of: self, bytes) : nil
  }

  /// Takes a part, for which the call may have to wait.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and `VisionError.busy` at once when
  ///   too many calls wait.
  package func take(_ bytes: Int) async throws -> Part {
    if let part = takeNow(bytes) { return part }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { caller in
        wait(Waiter(number: number, bytes: bytes, caller: caller))
      }
    } onCancel: {
      cancel(number)
    }
    return Part(of: self, bytes)
  }

  /// The number of calls that wait for a part.
  package var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// The number of bytes in use.
  package var used: Int { state.withLock { $0.used } }

  /// Whether any part is in use or waited for.
  var isInUse: Bool { state.withLock { $0.partCount > 0 || !$0.waiters.isEmpty } }

  private func wait(_ waiter: Waiter) {
    let refusal = state.withLock { state -> (any Error)? in
      // A task is marked as cancelled before `cancel` is called, so one of the two ends the wait.
      if Task.isCancelled { return CancellationError() }
      guard state.waiters.count < maximumWaiters else {
        return VisionError.busy("\(maximumWaiters) calls wait already, which is the limit")
      }
      state.waiters.append(waiter)
      return nil
    }
    if let refusal { waiter.caller.resume(throwing: refusal) } else { serve() }
  }

  private func cancel(_ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
    }
    waiter?.caller.resume(throwing: CancellationError())
    // Those behind it may need less.
    serve()
  }

  /// Gives the calls that waited longest their parts.
  private func serve() {
    let served = state.withLock { state in
      var served: [Waiter] = []
      while let first = state.waiters.first, hasRoom(for: first.bytes, state) {
        take(first.bytes, &state)
        served.append(state.waiters.removeFirst())
      }
      return served
    }
    for waiter in served { waiter.caller.resume() }
  }

  private func hasRoom(for bytes: Int, _ state: State) -> Bool {
    // The limit of a single part is checked by those who ask for it.
    state.partCount < maximumParts && (state.used == 0 || bytes <= limit - state.used)
  }

  private func take(_ bytes: Int, _ state: inout State) {
    state.used += bytes
    state.partCount += 1
  }

  private func giveBack(_ bytes: Int, isWhole: Bool) {
    state.withLock { state in
      state.used -= bytes
      if isWhole { state.partCount -= 1 }
    }
    serve()
  }
}

extension ByteBudget {
  /// A part of a budget, which is free again when nobody keeps this object.
  package final class Part: Sendable {
    private let budget: ByteBudget
    private let bytes: Mutex<Int>

    fileprivate init(of budget: ByteBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = Mutex(bytes)
    }

    /// Returns the bytes above `kept`.
    package func reduce(to kept: Int) {
      let surplus = bytes.withLock { bytes in
        let surplus = max(bytes - kept, 0)
        bytes -= surplus
        return surplus
      }
      if surplus > 0 { budget.giveBack(surplus, isWhole: false) }
    }

    deinit { budget.giveBack(bytes.withLock { $0 }, isWhole: true) }
  }
}
