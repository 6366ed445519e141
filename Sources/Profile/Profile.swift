public import OcellusEngine
import OcellusPlatform

/// The times of a model's runs, step by step.
public struct Profile: Sendable {
  /// The extent of the measurement.
  public struct Options: Sendable {
    /// The number of runs with step timing; as many without alternate with them.
    public var runs: Int
    /// The number of runs after the first that are not counted.
    public var warmupRuns: Int
    /// Whether to measure the machine's limits, which takes about a second.
    public var measuresLimits: Bool

    /// Makes options.
    public init(runs: Int = 30, warmupRuns: Int = 3, measuresLimits: Bool = true) {
      self.runs = runs
      self.warmupRuns = warmupRuns
      self.measuresLimits = measuresLimits
    }
  }

  /// The instruction set of the kernels; `reference` for reference kernels.
  public let instructionSet: String
  /// The requested number of threads.
  public let threads: Int
  /// The size of packed weights in bytes.
  public let packedByteCount: Int
  /// The duration of the first run in milliseconds.
  public let firstMilliseconds: Double
  /// The durations of runs without step timing, in milliseconds.
  public let bare: TimeStatistics
  /// The durations of runs with step timing, in milliseconds.
  public let watched: TimeStatistics
  /// The cost of timing the steps, as a share of a run.
  ///
  /// It is the median difference between a run with step timing and the adjacent run without. It
  /// may be negative if runs differ by more than this cost.
  public let overhead: Double
  /// The share of the timed runs that the steps account for.
  public let accountedShare: Double
  /// The steps in the order of the file; those of called subgraphs come last.
  public let steps: [ProfiledStep]
  /// The timeline of one run, on all threads.
  public let timeline: Timeline
  /// The tensors in the arena, with their lifetimes.
  public let arena: [ArenaAllocation]
  /// The peak rates of the machine; `nil` if they were not measured.
  public let limits: MachineLimits?
  /// The available performance counters, and why others are not available.
  public let counters: CounterAvailability
}

extension Profile {
  /// The number of multiply-adds of one run.
  public var multiplyAdds: Int { steps.reduce(0) { $0 + $1.multiplyAdds } }

  /// The sum of the steps' median times in milliseconds.
  public var stepMilliseconds: Double { steps.reduce(0) { $0 + $1.time.median } }

  /// Profiles a model by running it repeatedly.
  ///
  /// The inputs are those that the caller has set. Stateful models continue from their state.
  ///
  /// - Parameters:
  ///   - interpreter: The interpreter of the model.
  ///   - entry: The entry point to run; the main subgraph by default.
  ///   - options: The extent of the measurement.
  ///   - progress: Receives the number of finished runs and of all runs.
  /// - Throws: the error of a run.
  public init(
    of interpreter: Interpreter, _ entry: EntryPoint? = nil, options: Options = Options(),
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(ModelError) {
    let entry = entry ?? interpreter.main
    instructionSet = interpreter.instructionSet
    threads = interpreter.options.threads
    try entry.allocate()
    let first = Profiler()
    try first.record(interpreter, entry)
    for _ in 0..<options.warmupRuns { try entry.run() }
    let series = try RunSeries(interpreter, entry, count: max(options.runs, 1), progress)
    timeline = try Timeline(of: interpreter, entry)
    let counted = try ProcessorCounts(of: interpreter, entry)

    firstMilliseconds = Double(first.runs[0]) / 1e6
    bare = TimeStatistics(series.bare)
    watched = TimeStatistics(series.watched)
    overhead = TimeStatistics(zip(series.watched, series.bare).map { $0 / $1 - 1 }).median
    let steps = series.profiler.steps(first: first, timeline, counted)
    self.steps = steps
    let shares = series.watched.enumerated().map { run, whole in
      steps.reduce(0) { $0 + $1.milliseconds[run] } / whole
    }
    accountedShare = TimeStatistics(shares).median
    let plan = entry.plan
    packedByteCount = plan.packedByteCount
    arena = plan.tenants(readBy: series.profiler.facts(of: entry))
    counters = counted.availability
    limits =
      options.measuresLimits
      ? MachineLimits(instructionSet: instructionSet, threads: threads) : nil
  }
}

/// Pairs of runs, one without and one with step timing.
///
/// The order alternates from pair to pair, so neither kind has an advantage.
private struct RunSeries {
  let profiler = Profiler()
  /// The durations of runs without and with step timing, in milliseconds.
  private(set) var bare: [Double] = []
  private(set) var watched: [Double] = []

  init(
    _ interpreter: Interpreter, _ entry: EntryPoint, count: Int,
    _ progress: (_ done: Int, _ all: Int) -> Void
  ) throws(ModelError) {
    for pairIndex in 0..<count {
      progress(pairIndex, count)
      for isWatched in pairIndex.isMultiple(of: 2) ? [false, true] : [true, false] {
        if isWatched {
          try profiler.record(interpreter, entry)
        } else {
          let start = MonotonicTime.now
          try entry.run()
          bare.append(start.millisecondsToNow)
        }
      }
    }
    watched = profiler.runs.map { Double($0) / 1e6 }
  }
}

extension Profiler {
  /// Returns the facts of the nodes that an entry point runs, without nodes of called subgraphs.
  fileprivate func facts(of entry: EntryPoint) -> [NodeFacts] {
    entries.map(\.facts).filter { $0.key.subgraph == entry.subgraphIndex }
  }

  /// The steps with the times of all runs so far, in the order of the file.
  public var steps: [ProfiledStep] { steps(first: nil, nil, nil) }

  /// Returns the steps, with additional data from other runs of the same nodes.
  func steps(
    first: Profiler?, _ timeline: Timeline?, _ counts: ProcessorCounts?
  ) -> [ProfiledStep] {
    guard !runs.isEmpty else { return [] }
    let firsts = Dictionary(
      (first ?? self).entries.map { ($0.facts.key, $0.nanoseconds[0]) },
      uniquingKeysWith: { earlier, _ in earlier })
    return entries.groups.map { group in
      let nanoseconds = group.entries.reduce(0) { $0 + (firsts[$1.facts.key] ?? 0) }
      var step = ProfiledStep(
        group, firstMilliseconds: Double(nanoseconds) / 1e6, runCount: runs.count)
      step.busyShare = timeline?.busyShare(of: group.performer)
      step.counts = counts?.counts(of: group.entries.map(\.facts.key)) ?? [:]
      return step
    }
  }
}
