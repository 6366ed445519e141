import OcellusPlatform

/// A producer thread that waits after each value until the consumer asks for the next.
///
/// This allows two runs to be compared side by side although each tensor exists only for a moment.
///
/// Unchecked: only its thread touches the work, only the consumer touches the thread, and a monitor
/// guards everything else.
final class ProducerThread<Value>: @unchecked Sendable {
  private enum Turn { case maker, taker }

  private struct State {
    var turn = Turn.taker
    var value: Value?
    var isOver = false
    var isGivenUp = false
    var failure: (any Error)?
  }

  private let state = Monitor(State())
  private var work: ((ProducerThread) throws -> Void)?
  private var thread: SystemThread?

  /// Makes a producer from work that calls `show` for every value.
  init(_ work: @escaping (ProducerThread) throws -> Void) {
    self.work = work
  }

  // MARK: On the producer's thread

  /// Shows a value and waits until the consumer asks for the next.
  ///
  /// - Returns: whether the consumer wants more values.
  func show(_ value: Value) -> Bool {
    state.change { state in
      guard !state.isGivenUp else { return }
      state.value = value
      state.turn = .taker
    }
    return waitForTaker()
  }

  /// Waits until the consumer asks for a value; returns whether it wants more.
  private func waitForTaker() -> Bool {
    state.wait { $0.turn == .maker ? !$0.isGivenUp : nil }
  }

  private func workOff() {
    var failure: (any Error)?
    if waitForTaker() {
      do { try work?(self) } catch let error { failure = error }
    }
    work = nil
    state.change { state in
      state.failure = failure
      state.value = nil
      state.isOver = true
      state.turn = .taker
    }
  }

  // MARK: On the consumer's thread

  /// Returns the next value, which is valid until the next call, or `nil` after the last.
  func next() throws -> Value? {
    try start()
    state.change { if !$0.isOver { $0.turn = .maker } }
    let result = state.wait { state -> Result<Value?, any Error>? in
      guard state.turn == .taker else { return nil }
      guard let failure = state.failure else { return .success(state.value) }
      state.failure = nil
      return .failure(failure)
    }
    return try result.get()
  }

  /// Tells the work to end and waits for its thread.
  func giveUp() {
    guard let thread else { return }
    state.change { state in
      state.isGivenUp = true
      state.turn = .maker
    }
    thread.join()
    self.thread = nil
  }

  private func start() throws(AuditError) {
    guard thread == nil else { return }
    thread = SystemThread { self.workOff() }
    if thread == nil { throw AuditError("the system has no thread left") }
  }
}
