import OcellusEngine
import Synchronization

/// One call of a pool: it waits for a viewer, is worked on, and ends once, with an answer or because
/// somebody stopped it.
package final class PoolRequest<Viewer: PooledViewer, Answer: Sendable>: PoolWork {
  /// What is done with a viewer.
  ///
  /// It may begin with what nothing stops, such as reading a picture, if it says then that it goes on
  /// (`beginRunning(on:)`).
  package typealias Work = @Sendable (Viewer, PoolRequest) throws -> Answer

  private enum Phase {
    /// Nobody waits for it yet.
    case new
    /// It waits for a viewer.
    case waiting(CheckedContinuation<Answer, any Error>)
    /// A viewer's thread reads its picture: nobody waits for the end of that who does not want the answer.
    case reading(CheckedContinuation<Answer, any Error>)
    /// A viewer works on it, which these stop.
    case running(CheckedContinuation<Answer, any Error>, [Cancellation])
    case over
  }

  private struct State {
    var phase = Phase.new
    /// Why it was stopped.
    var stop: (any Error)?
    /// What is to be done; nothing once somebody does it, or nobody has to: it keeps the call's file.
    var work: Work?
  }

  /// Where the call is, as its queue counts it.
  private enum Place: UInt8, AtomicRepresentable {
    case outside, inside, left
  }

  private let state: Mutex<State>
  private let readsFirst: Bool
  package let byteCount: Int
  private let place = Atomic(Place.outside)

  /// A call of a pool that does `work`.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the file that the call keeps while it waits.
  ///   - readsFirst: Whether the work begins with what nothing stops.
  ///   - work: What to do.
  package init(byteCount: Int = 0, readsFirst: Bool = false, _ work: @escaping Work) {
    self.byteCount = byteCount
    self.readsFirst = readsFirst
    state = Mutex(State(work: work))
  }

  /// Takes who waits for the answer; `false` if the request was stopped before.
  package func begin(_ caller: CheckedContinuation<Answer, any Error>) -> Bool {
    let stop = state.withLock { state in
      state.phase = state.stop == nil ? .waiting(caller) : .over
      return state.stop
    }
    guard let stop else { return true }
    caller.resume(throwing: stop)
    return false
  }

  /// Ends the request with an error: at once where it waits or its picture is read, within a step of the
  /// network where it runs.
  ///
  /// - Returns: whether it waited.
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
        // With the lock held, so that they never reach the request behind this one.
        for cancellation in cancellations { cancellation.cancel() }
        return (nil, false)
      }
    }
    caller?.resume(throwing: reason)
    return hasWaited
  }

  package func enter() { place.store(.inside, ordering: .relaxed) }

  package func leave() -> Bool {
    place.compareExchange(expected: .inside, desired: .left, ordering: .relaxed).exchanged
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
    // What was ready before it was stopped is an answer all the same.
    return {
      if let stop, case .failure = result {
        caller?.resume(throwing: stop)
      } else {
        caller?.resume(with: result)
      }
    }
  }

  /// Goes on from reading to what can be stopped.
  ///
  /// - Throws: `CancellationError` when nobody waits for the answer any more.
  func beginRunning(on viewer: Viewer) throws {
    try state.withLock { state in
      guard case .reading(let caller) = state.phase else { throw CancellationError() }
      state.phase = .running(caller, viewer.cancellations)
    }
  }
}

/// What waits in a pool's queue.
package protocol PoolWork<Viewer>: AnyObject, Sendable {
  associatedtype Viewer: PooledViewer
  /// The size of the file that it keeps while it waits.
  var byteCount: Int { get }
  /// Notes that it waits, and counts; by its queue only, as `leave`.
  func enter()
  /// Notes that it waits no more; whether it did until now.
  func leave() -> Bool
  /// Whether there is nothing left to do.
  var isOver: Bool { get }
  /// Does it, unless it was stopped; the result tells the caller, who may come with the next call at once.
  func perform(by viewer: Viewer) -> () -> Void
}
