import OcellusPlatform

/// The memory that the viewers of a pool share when they read pictures.
///
/// Who wants some waits until there is enough, one after the other, so that small pictures do not keep a
/// large one waiting for ever.
final class MemoryShare: Sendable {
  private struct State {
    var used = 0
    /// Who waits, the first one first.
    var line: [Int] = []
    var nextTicket = 0
  }

  private let limit: Int
  private let state = Monitor(State())

  init(limit: Int) { self.limit = limit }

  /// Takes some memory; none, and returns `false`, when nobody wants it any more.
  func take(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
    let ticket = state.change { state in
      state.nextTicket += 1
      state.line.append(state.nextTicket)
      return state.nextTicket
    }
    return state.wait { state -> Bool? in
      guard state.line.first == ticket else { return nil }
      let isWanted = !isOver()
      // One that is alone gets what it asks for: the limit of a picture is checked elsewhere.
      guard !isWanted || state.used == 0 || bytes <= limit - state.used else { return nil }
      state.line.removeFirst()
      if isWanted { state.used += bytes }
      return isWanted
    }
  }

  /// Gives memory back.
  func giveBack(_ bytes: Int) { state.change { $0.used -= bytes } }
}
