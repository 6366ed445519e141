public import OcellusEngine
import OcellusPlatform

/// Times every step of a model, run by run.
///
/// The time of a step that calls a subgraph excludes the steps of the subgraph; the time between
/// two steps counts for the second. Runs that other work on the machine disturbed do not count. The
/// memory use depends on the plan and the number of runs, not on loop iterations.
public final class Profiler {
  /// A node of the file, even if another node does its work.
  struct Entry {
    let facts: NodeFacts
    /// The nanoseconds and the number of calls in each run.
    var nanoseconds: [Int] = []
    var calls: [Int] = []
  }

  private let nanoseconds: () -> Int
  private let makeCounters: (_ threads: Int) -> InterferenceCounters
  private(set) var entries: [Entry] = []
  /// The duration of each run in nanoseconds.
  private(set) var runs: [Int] = []
  /// The offset of each entry's times in the timer.
  private var offsets: [Int] = []
  private var timer: StepTimer?
  private var meter: InterferenceMeter?

  /// Makes a profiler without runs.
  public convenience init() { self.init(counters: InterferenceCounters.system) }

  /// Makes a profiler with a custom clock and custom counters for a number of threads.
  package init(
    nanoseconds: @escaping () -> Int = { MonotonicTime.now.nanoseconds },
    counters: @escaping (_ threads: Int) -> InterferenceCounters
  ) {
    self.nanoseconds = nanoseconds
    makeCounters = counters
  }

  /// The runs so far, and those that count; `nil` if there are none.
  public var sample: RunSample? { runs.isEmpty ? nil : meter.map { RunSample($0.runs) } }

  /// Whether the times of the runs so far mean anything; `nil` if there are none.
  public var noise: Noise? { sample.map { Noise([$0], stolenMilliseconds: stolenMilliseconds) } }

  var stolenMilliseconds: Double { meter?.stolenMilliseconds ?? 0 }

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
    let meter = meter ?? InterferenceMeter(makeCounters(interpreter.options.threads))
    self.meter = meter
    defer { interpreter.stepTimer = nil }
    timer.start()
    meter.startRun()
    let start = nanoseconds()
    try entry.run()
    let duration = nanoseconds() - start
    meter.endRun(nanoseconds: duration)
    runs.append(duration)
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
