import OcellusPlatform
import Synchronization

/// The memory that the viewers of a pool share for decoding pictures.
///
/// Requests are served in order of arrival, so that small pictures cannot keep a large one waiting
/// for ever.
package final class MemoryBudget: Sendable {
  private struct State {
    var used = 0
    /// The tickets of waiting requests, in order of arrival.
    var waitingTickets: [Int] = []
    var nextTicket = 0
  }

  private let limit: Int
  private let state = Monitor(State())

  package init(limit: Int) { self.limit = limit }

  /// Waits for memory and takes it; takes none and returns `false` when `isOver()` is true.
  ///
  /// `isOver` is evaluated again after every change and after `recheckWaiters()`.
  package func take(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
    let ticket = state.change { state in
      state.nextTicket += 1
      state.waitingTickets.append(state.nextTicket)
      return state.nextTicket
    }
    return state.wait { state -> Bool? in
      let isWanted = !isOver()
      // An ended request leaves the queue from any position. A request that finds no memory in use
      // gets any amount: the decoder checks the limit of a single picture.
      guard
        !isWanted
          || state.waitingTickets.first == ticket
            && (state.used == 0 || bytes <= limit - state.used)
      else { return nil }
      state.waitingTickets.removeAll { $0 == ticket }
      if isWanted { state.used += bytes }
      return isWanted
    }
  }

  /// Makes waiting requests evaluate `isOver` again.
  package func recheckWaiters() { state.change { _ in } }

  /// Returns memory to the share.
  package func giveBack(_ bytes: Int) { state.change { $0.used -= bytes } }
}

extension MemoryBudget {
  /// The memory taken for one picture.
  final class Part: Sendable {
    private let share: MemoryBudget
    private let taken = Mutex(0)

    init(of share: MemoryBudget) { self.share = share }

    /// Takes memory, unless the request has ended.
    func take(_ bytes: Int, unless isOver: () -> Bool) {
      if share.take(bytes, unless: isOver) { taken.withLock { $0 += bytes } }
    }

    /// Returns the memory above `kept` bytes.
    func giveBack(allBut kept: Int) {
      let surplus = taken.withLock { taken in
        let surplus = max(taken - kept, 0)
        taken -= surplus
        return surplus
      }
      if surplus > 0 { share.giveBack(surplus) }
    }
  }
}
