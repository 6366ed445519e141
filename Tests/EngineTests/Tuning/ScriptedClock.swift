import OcellusEngine
import Synchronization

/// A clock for strategies that take as long as a test says, and that records their turns.
final class ScriptedClock: Sendable {
  private struct State {
    var now = 0
    var turns: [String] = []
  }

  private let state = Mutex(State())
  private let nanoseconds: @Sendable (_ strategy: String, _ earlier: [String]) -> Int

  /// A duration after which a turn has a single run.
  static let usual = 1_000_000

  /// Makes a clock; `nanoseconds` returns the duration of a strategy's turn after earlier ones.
  init(_ nanoseconds: @escaping @Sendable (_ strategy: String, _ earlier: [String]) -> Int) {
    self.nanoseconds = nanoseconds
  }

  /// Makes a clock by which one strategy takes some share of the others' time.
  convenience init(favouring favourite: String, share: Double = 0.5) {
    self.init { strategy, _ in strategy == favourite ? Int(share * Double(Self.usual)) : Self.usual
    }
  }

  var turns: [String] { state.withLock { $0.turns } }
  var now: Int { state.withLock { $0.now } }

  /// The clock as options take it.
  var clock: TuningClock {
    TuningClock(now: { self.now }) { strategy, work in
      work()
      return self.state.withLock { state in
        let time = self.nanoseconds(strategy, state.turns)
        state.turns.append(strategy)
        state.now += time
        return time
      }
    }
  }
}
