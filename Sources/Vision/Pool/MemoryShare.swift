import OcellusPlatform
import Synchronization

/// The memory that the viewers of a pool share when they read pictures.
///
/// Who wants some waits until there is enough, one after the other, so that small pictures do not keep a
/// large one waiting for ever.
package final class MemoryShare: Sendable {
  private struct State {
    var used = 0
    /// Who waits, the first one first.
    var line: [Int] = []
    var nextTicket = 0
  }

  private let limit: Int
  private let state = Monitor(State())

  package init(limit: Int) { self.limit = limit }

  /// Takes some memory; none, and returns `false`, when nobody wants it any more.
  ///
  /// Whether somebody does is asked again after every change, and where `lookAgain` is called.
  package func take(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
    let ticket = state.change { state in
      state.nextTicket += 1
      state.line.append(state.nextTicket)
      return state.nextTicket
    }
    return state.wait { state -> Bool? in
      let isWanted = !isOver()
      // Who has gone leaves the line wherever it stands. One that is alone gets what it asks for: the limit of
      // a picture is checked elsewhere.
      guard
        !isWanted
          || state.line.first == ticket
            && (state.used == 0 || bytes <= limit - state.used)
      else { return nil }
      state.line.removeAll { $0 == ticket }
      if isWanted { state.used += bytes }
      return isWanted
    }
  }

  /// Has those who wait look whether anybody still wants it.
  package func lookAgain() { state.change { _ in } }

  /// Gives memory back.
  package func giveBack(_ bytes: Int) { state.change { $0.used -= bytes } }
}

extension MemoryShare {
  /// What one picture has of it.
  final class Part: Sendable {
    private let share: MemoryShare
    private let taken = Mutex(0)

    init(of share: MemoryShare) { self.share = share }

    /// Takes some memory, unless nobody wants it any more.
    func take(_ bytes: Int, unless isOver: () -> Bool) {
      if share.take(bytes, unless: isOver) { taken.withLock { $0 += bytes } }
    }

    /// Gives back what is more than so many bytes.
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
