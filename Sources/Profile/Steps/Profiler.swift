public import OcellusEngine
import OcellusPlatform

/// Times every step of a model, run by run.
///
/// A step that calls a subgraph is charged only with what the steps in there leave; what passes between
/// two steps is the second one's. What it keeps is as large as the plan and the number of runs, however
/// often a loop goes round.
public final class Profiler {
  /// A node of the file, whether it does its work itself or not.
  struct Entry {
    let facts: NodeFacts
    /// Nanoseconds and calls in each run.
    var nanoseconds: [Int] = []
    var calls: [Int] = []
  }

  private let nanoseconds: () -> Int
  private(set) var entries: [Entry] = []
  /// Nanoseconds of each run as a whole.
  private(set) var runs: [Int] = []
  /// By entry: where its times are among the timer's.
  private var places: [Int] = []
  private var timer: StepTimer?

  /// Without runs.
  public convenience init() { self.init { MonotonicTime.now.nanoseconds } }

  /// By a clock of one's own.
  package init(nanoseconds: @escaping () -> Int) { self.nanoseconds = nanoseconds }

  /// Runs a model, or the subgraph of a signature, and adds what its steps take.
  ///
  /// The interpreter's observer sees nothing of it.
  public func record(
    _ interpreter: Interpreter, _ entry: EntryPoint? = nil
  ) throws(ModelError) {
    let entry = entry ?? interpreter.main
    let timer = timer ?? makeTimer()
    self.timer = timer
    interpreter.stepTimer = timer
    defer { interpreter.stepTimer = nil }
    timer.start()
    let start = nanoseconds()
    try entry.run()
    runs.append(nanoseconds() - start)
    for (position, place) in places.enumerated() {
      // A node that this run is the first to meet took no time in those before.
      let missing = runs.count - 1 - entries[position].calls.count
      let total = timer.totals[place]
      entries[position].nanoseconds += Array(repeating: 0, count: missing) + [total.nanoseconds]
      entries[position].calls += Array(repeating: 0, count: missing) + [total.calls]
    }
  }

  private func makeTimer() -> StepTimer {
    StepTimer(clock: nanoseconds) { [unowned self] place, node in
      entries.append(Entry(facts: NodeFacts(node)))
      places.append(place)
    }
  }
}
