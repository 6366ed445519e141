import OcellusEngine
import Synchronization

/// One call of a pool: it waits for a viewer, is worked on, and ends once, with an answer or because
/// somebody stopped it.
final class PoolRequest<Viewer: PooledViewer, Answer: Sendable>: PoolWork {
  typealias Work = @Sendable (Viewer) throws -> Answer

  private enum Phase {
    /// Nobody waits for it yet.
    case new
    /// It waits for a viewer.
    case waiting(CheckedContinuation<Answer, any Error>)
    /// A viewer works on it, which these stop.
    case running(CheckedContinuation<Answer, any Error>, [Cancellation])
    case over
  }

  private struct State {
    var phase = Phase.new
    /// Why it was stopped.
    var stop: (any Error)?
  }

  private let state = Mutex(State())
  private let work: Work

  init(_ work: @escaping Work) {
    self.work = work
  }

  /// Takes who waits for the answer; `false` if the request was stopped before.
  func begin(_ caller: CheckedContinuation<Answer, any Error>) -> Bool {
    let stop = state.withLock { state in
      state.phase = state.stop == nil ? .waiting(caller) : .over
      return state.stop
    }
    guard let stop else { return true }
    caller.resume(throwing: stop)
    return false
  }

  /// Ends the request with an error: at once where it waits, within a step of the network where it runs.
  ///
  /// - Returns: whether it waited.
  @discardableResult
  func stop(_ reason: any Error) -> Bool {
    let caller = state.withLock { state -> CheckedContinuation<Answer, any Error>? in
      guard state.stop == nil else { return nil }
      state.stop = reason
      switch state.phase {
      case .new, .over: return nil
      case .waiting(let caller):
        state.phase = .over
        return caller
      case .running(_, let cancellations):
        // With the lock held, so that they never reach the request behind this one.
        for cancellation in cancellations { cancellation.cancel() }
        return nil
      }
    }
    caller?.resume(throwing: reason)
    return caller != nil
  }

  var isOver: Bool {
    state.withLock { if case .over = $0.phase { true } else { false } }
  }

  func perform(by viewer: Viewer) {
    let isWanted = state.withLock { state in
      guard case .waiting(let caller) = state.phase else { return false }
      state.phase = .running(caller, viewer.cancellations)
      return true
    }
    guard isWanted else { return }
    let result = Result { try work(viewer) }
    let (caller, stop) = state.withLock {
      state -> (CheckedContinuation<Answer, any Error>?, (any Error)?) in
      guard case .running(let caller, let cancellations) = state.phase else { return (nil, nil) }
      for cancellation in cancellations { cancellation.resume() }
      state.phase = .over
      return (caller, state.stop)
    }
    // What was ready before it was stopped is an answer all the same.
    if let stop, case .failure = result {
      caller?.resume(throwing: stop)
    } else {
      caller?.resume(with: result)
    }
  }
}

/// What waits in a pool's queue.
protocol PoolWork<Viewer>: AnyObject, Sendable {
  associatedtype Viewer: PooledViewer
  /// Whether there is nothing left to do.
  var isOver: Bool { get }
  /// Does it, unless it was stopped.
  func perform(by viewer: Viewer)
}
