public import OcellusEngine
import OcellusPlatform

/// Where the time of a model's runs goes.
public struct Profile: Sendable {
  /// What is to be found out, and how thoroughly.
  public struct Options: Sendable {
    /// Runs that are timed step by step; as many are timed as a whole, in turns with these.
    public var runs: Int
    /// Runs behind the first that are not counted.
    public var warmupRuns: Int
    /// Whether the limits of the machine are measured, which takes about a second.
    public var measuresLimits: Bool

    /// Makes options.
    public init(runs: Int = 30, warmupRuns: Int = 3, measuresLimits: Bool = true) {
      self.runs = runs
      self.warmupRuns = warmupRuns
      self.measuresLimits = measuresLimits
    }
  }

  /// The instruction set whose kernels ran; `reference` for plain loops.
  public let instructionSet: String
  /// The threads that were asked for.
  public let threads: Int
  /// Bytes of weights in the kernels' layouts.
  public let packedByteCount: Int
  /// Milliseconds of the first run.
  public let firstMilliseconds: Double
  /// Milliseconds of runs that nobody watched.
  public let bare: TimeStatistics
  /// Milliseconds of runs whose steps were timed.
  public let watched: TimeStatistics
  /// What timing the steps costs, as a share of a run.
  ///
  /// The median of how much longer a watched run took than the bare one beside it. Where runs differ by more
  /// than this, it may be less than nothing.
  public let overhead: Double
  /// The share of the watched runs that the steps add up to.
  public let accountedShare: Double
  /// The steps in the order of the file, those of called subgraphs last.
  public let steps: [ProfiledStep]
  /// What one run did when, on all threads.
  public let timeline: Timeline
  /// Who holds the memory of computed tensors, and when.
  public let arena: [ArenaTenant]
  /// What the machine can do at most; `nil` where that was not measured.
  public let limits: MachineLimits?
  /// What the processor could be asked for beside the time, and why not more.
  public let counters: CounterAvailability
}

extension Profile {
  /// The multiply-adds of a run.
  public var multiplyAdds: Int { steps.reduce(0) { $0 + $1.multiplyAdds } }

  /// What the steps take together, by their medians, in milliseconds.
  public var stepMilliseconds: Double { steps.reduce(0) { $0 + $1.time.median } }

  /// Runs a model until it is known where its time goes.
  ///
  /// The inputs are those that the caller has set. Models that keep a state go on with it.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the model.
  ///   - entry: What to run; the main subgraph if it is left out.
  ///   - options: How thoroughly.
  ///   - progress: Told how many runs are done, and how many there are.
  /// - Throws: what a run throws.
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

/// Runs in turns: one that nobody watches, one whose steps are timed.
///
/// Which comes first changes from turn to turn, so that neither has an advantage.
private struct RunSeries {
  let profiler = Profiler()
  /// Milliseconds.
  private(set) var bare: [Double] = []
  private(set) var watched: [Double] = []

  init(
    _ interpreter: Interpreter, _ entry: EntryPoint, count: Int,
    _ progress: (_ done: Int, _ all: Int) -> Void
  ) throws(ModelError) {
    for turn in 0..<count {
      progress(turn, count)
      for isWatched in turn.isMultiple(of: 2) ? [false, true] : [true, false] {
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
  /// What is known of the nodes that a caller runs, without those of subgraphs that these call.
  fileprivate func facts(of entry: EntryPoint) -> [NodeFacts] {
    entries.map(\.facts).filter { $0.key.subgraph == entry.subgraphIndex }
  }

  /// What the runs so far took, step by step, in the order of the file.
  public var steps: [ProfiledStep] { steps(first: nil, nil, nil) }

  /// The same with what other runs have told of the same nodes.
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
