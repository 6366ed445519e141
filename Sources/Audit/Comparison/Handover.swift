import OcellusPlatform

/// Work on a thread of its own that shows values one by one, and goes on only when somebody asks for the
/// next: two runs can so be looked at side by side, whose tensors exist at the moment only.
///
/// Unchecked: the work is its thread's, the thread its caller's, and all else is in the monitor.
final class Handover<Value>: @unchecked Sendable {
  private enum Turn { case maker, taker }

  private struct State {
    var turn = Turn.taker
    var value: Value?
    var isOver = false
    var isGivenUp = false
    var failure: (any Error)?
  }

  private let state = Monitor(State())
  private var work: ((Handover) throws -> Void)?
  private var thread: SystemThread?

  /// Work that calls `show` for every value.
  init(_ work: @escaping (Handover) throws -> Void) {
    self.work = work
  }

  // MARK: On the thread of the work

  /// Shows a value, and waits until somebody asks for the next.
  ///
  /// - Returns: whether anybody still wants to see some.
  func show(_ value: Value) -> Bool {
    state.change { state in
      guard !state.isGivenUp else { return }
      state.value = value
      state.turn = .taker
    }
    return waitForTaker()
  }

  /// Waits until somebody asks for a value, and tells whether anybody still does.
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

  // MARK: On the other thread

  /// The next value, which is valid until this is called again; `nil` behind the last.
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

  /// Lets the work come to its end, and waits for that.
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
