public import OcellusEngine
import OcellusPlatform

/// Times every step of a model, run by run.
///
/// The time of a step that calls a subgraph excludes the steps of the subgraph; the time between
/// two steps counts for the second. The memory use depends on the plan and the number of runs, not
/// on loop iterations.
public final class Profiler {
  /// A node of the file, even if another node does its work.
  struct Entry {
    let facts: NodeFacts
    /// The nanoseconds and the number of calls in each run.
    var nanoseconds: [Int] = []
    var calls: [Int] = []
  }

  private let nanoseconds: () -> Int
  private(set) var entries: [Entry] = []
  /// The duration of each run in nanoseconds.
  private(set) var runs: [Int] = []
  /// The offset of each entry's times in the timer.
  private var offsets: [Int] = []
  private var timer: StepTimer?

  /// Makes a profiler without runs.
  public convenience init() { self.init { MonotonicTime.now.nanoseconds } }

  /// Makes a profiler with a custom clock.
  package init(nanoseconds: @escaping () -> Int) { self.nanoseconds = nanoseconds }

  /// Runs a model, or the subgraph of a signature, and adds the times of its steps.
  ///
  /// The interpreter's observer is not called for it.
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
    for (position, offset) in offsets.enumerated() {
      // A node that runs for the first time now took no time in the earlier runs.
      let missing = runs.count - 1 - entries[position].calls.count
      let total = timer.totals[offset]
      entries[position].nanoseconds += Array(repeating: 0, count: missing) + [total.nanoseconds]
      entries[position].calls += Array(repeating: 0, count: missing) + [total.calls]
    }
  }

  private func makeTimer() -> StepTimer {
    StepTimer(clock: nanoseconds) { [unowned self] offset, node in
      entries.append(Entry(facts: NodeFacts(node)))
      offsets.append(offset)
    }
  }
}
