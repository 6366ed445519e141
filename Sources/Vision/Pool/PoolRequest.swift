import OcellusEngine
import Synchronization

/// One call of a pool: it waits for a viewer, runs, and ends once, with an answer or an error.
package final class PoolRequest<Viewer: PooledViewer, Answer: Sendable>: PoolWork {
  /// The work that a viewer does for the call.
  ///
  /// It may begin with work that cannot be cancelled, such as decoding a picture, if it then calls
  /// `beginRunning(on:)`.
  package typealias Work = @Sendable (Viewer, PoolRequest) throws -> Answer

  private enum Phase {
    /// The caller does not wait yet.
    case new
    /// The call waits for a viewer.
    case waiting(CheckedContinuation<Answer, any Error>)
    /// A viewer's thread decodes the picture; a caller that is stopped does not wait for the end.
    case reading(CheckedContinuation<Answer, any Error>)
    /// A viewer runs; the cancellations stop it.
    case running(CheckedContinuation<Answer, any Error>, [Cancellation])
    case over
  }

  private struct State {
    var phase = Phase.new
    /// The error that the request was stopped with.
    var stop: (any Error)?
    /// The work; `nil` once it has begun or is not needed, as it keeps the call's file alive.
    var work: Work?
  }

  private let state: Mutex<State>
  private let readsFirst: Bool
  package let place: WaitingPlace?

  /// Creates a request that does `work`.
  ///
  /// - Parameters:
  ///   - place: The place that the call leaves when a viewer takes it.
  ///   - readsFirst: Whether the work begins with decoding, which cannot be cancelled.
  ///   - work: The work.
  package init(at place: WaitingPlace? = nil, readsFirst: Bool = false, _ work: @escaping Work) {
    self.place = place
    self.readsFirst = readsFirst
    state = Mutex(State(work: work))
  }

  /// Stores the caller's continuation; returns `false` if the request was stopped before.
  package func begin(_ caller: CheckedContinuation<Answer, any Error>) -> Bool {
    let stop = state.withLock { state in
      state.phase = state.stop == nil ? .waiting(caller) : .over
      return state.stop
    }
    guard let stop else { return true }
    caller.resume(throwing: stop)
    return false
  }

  /// Ends the request with an error.
  ///
  /// A request that waits or decodes ends at once, one whose network runs within one step.
  ///
  /// - Returns: Whether it was waiting.
  @discardableResult
  package func stop(_ reason: any Error) -> Bool {
    let (caller, hasWaited) = state.withLock {
      state -> (CheckedContinuation<Answer, any Error>?, Bool) in
      guard state.stop == nil else { return (nil, false) }
      state.stop = reason
      state.work = nil
      switch state.phase {
      case .new, .over: return (nil, false)
      case .waiting(let caller):
        state.phase = .over
        return (caller, true)
      case .reading(let caller):
        state.phase = .over
        return (caller, false)
      case .running(_, let cancellations):
        // With the lock held, so that the cancellation cannot hit the viewer's next request.
        for cancellation in cancellations { cancellation.cancel() }
        return (nil, false)
      }
    }
    caller?.resume(throwing: reason)
    return hasWaited
  }

  package var isOver: Bool {
    state.withLock { if case .over = $0.phase { true } else { false } }
  }

  package func perform(by viewer: Viewer) -> () -> Void {
    let work = state.withLock { state -> Work? in
      guard case .waiting(let caller) = state.phase else { return nil }
      state.phase = readsFirst ? .reading(caller) : .running(caller, viewer.cancellations)
      return state.work.take()
    }
    guard let work else { return {} }
    let result = Result { try work(viewer, self) }
    let (caller, stop) = state.withLock {
      state -> (CheckedContinuation<Answer, any Error>?, (any Error)?) in
      defer { state.phase = .over }
      switch state.phase {
      case .new, .waiting, .over: return (nil, nil)
      case .reading(let caller): return (caller, state.stop)
      case .running(let caller, let cancellations):
        for cancellation in cancellations { cancellation.resume() }
        return (caller, state.stop)
      }
    }
    // An answer that was ready before the request was stopped is delivered nevertheless.
    return {
      if let stop, case .failure = result {
        caller?.resume(throwing: stop)
      } else {
        caller?.resume(with: result)
      }
    }
  }

  /// Continues from decoding to work that can be cancelled.
  ///
  /// - Throws: `CancellationError` when the request was stopped.
  func beginRunning(on viewer: Viewer) throws {
    try state.withLock { state in
      guard case .reading(let caller) = state.phase else { throw CancellationError() }
      state.phase = .running(caller, viewer.cancellations)
    }
  }
}

/// An entry of a pool's queue.
package protocol PoolWork<Viewer>: AnyObject, Sendable {
  associatedtype Viewer: PooledViewer
  /// The place that the call leaves when a viewer takes it; `nil` if it is not counted.
  var place: WaitingPlace? { get }
  /// Whether the call has ended.
  var isOver: Bool { get }
  /// Does the work, unless it was stopped; the returned closure resumes the caller.
  ///
  /// The caller may make its next call as soon as it is resumed.
  func perform(by viewer: Viewer) -> () -> Void
}
