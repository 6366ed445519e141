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
  /// The durations of runs without step timing that nothing disturbed, in milliseconds.
  public let bare: TimeStatistics
  /// The durations of runs with step timing that nothing disturbed, in milliseconds.
  public let watched: TimeStatistics
  /// The runs that were left out, and whether the times mean anything.
  public let noise: Noise
  /// The cost of timing the steps, as a share of a run.
  ///
  /// It is the median difference between a run with step timing and the adjacent run without, if
  /// nothing disturbed either. It may be negative if runs differ by more than this cost.
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

  /// The limits of the machine, if step times can be compared with them: neither is noise.
  public var comparableLimits: MachineLimits? {
    noise.reason == nil && limits?.isDisturbed == false ? limits : nil
  }

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
    try self.init(
      of: interpreter, entry ?? interpreter.main, options: options,
      counters: InterferenceCounters.system, progress: progress)
  }

  /// Profiles a model with custom counters of disturbances.
  package init(
    of interpreter: Interpreter, _ entry: EntryPoint, options: Options,
    counters: @escaping (_ threads: Int) -> InterferenceCounters,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(ModelError) {
    instructionSet = interpreter.instructionSet
    threads = interpreter.options.threads
    try entry.allocate()
    let first = Profiler()
    try first.record(interpreter, entry)
    for _ in 0..<options.warmupRuns { try entry.run() }
    let series = try RunSeries(
      interpreter, entry, count: max(options.runs, 1), counters: counters, progress)
    timeline = try Timeline(of: interpreter, entry, runs: options.runs, counters(threads))
    let counted = try ProcessorCounts(of: interpreter, entry)

    firstMilliseconds = Double(first.runs[0]) / 1e6
    bare = series.bare.time
    watched = series.watched.time
    noise = series.noise
    overhead = series.overhead
    let steps = series.profiler.steps(series.watched, first: first, timeline, counted)
    self.steps = steps
    let shares = series.watched.kept.enumerated().map { position, run in
      steps.reduce(0) { $0 + $1.milliseconds[position] } / series.watched.runs[run].milliseconds
    }
    accountedShare = TimeStatistics(shares).median
    let plan = entry.plan
    packedByteCount = plan.packedByteCount
    arena = plan.tenants(readBy: series.profiler.facts(of: entry))
    self.counters = counted.availability
    limits =
      options.measuresLimits
      ? MachineLimits(instructionSet: instructionSet, threads: threads) : nil
  }
}

/// Pairs of runs, one without and one with step timing.
///
/// The order alternates from pair to pair, so neither kind has an advantage.
private struct RunSeries {
  let profiler: Profiler
  /// The runs without and with step timing.
  let bare: RunSample
  let watched: RunSample
  let noise: Noise

  init(
    _ interpreter: Interpreter, _ entry: EntryPoint, count: Int,
    counters: @escaping (_ threads: Int) -> InterferenceCounters,
    _ progress: (_ done: Int, _ all: Int) -> Void
  ) throws(ModelError) {
    profiler = Profiler(counters: counters)
    let meter = InterferenceMeter(counters(interpreter.options.threads))
    for pairIndex in 0..<count {
      progress(pairIndex, count)
      for isWatched in pairIndex.isMultiple(of: 2) ? [false, true] : [true, false] {
        if isWatched {
          try profiler.record(interpreter, entry)
        } else {
          meter.startRun()
          let start = MonotonicTime.now.nanoseconds
          try entry.run()
          meter.endRun(nanoseconds: MonotonicTime.now.nanoseconds - start)
        }
      }
    }
    bare = RunSample(meter.runs)
    watched = profiler.sample ?? bare
    // Both meters saw the same time.
    noise = Noise(
      [bare, watched],
      stolenMilliseconds: max(meter.stolenMilliseconds, profiler.stolenMilliseconds))
  }

  /// The cost of timing the steps by the pairs that count, or else by the medians.
  var overhead: Double {
    let pairs = Set(bare.kept).intersection(watched.kept).map { run in
      watched.runs[run].milliseconds / bare.runs[run].milliseconds - 1
    }
    return pairs.isEmpty
      ? watched.time.median / bare.time.median - 1 : TimeStatistics(pairs).median
  }
}

extension Profiler {
  /// Returns the facts of the nodes that an entry point runs, without nodes of called subgraphs.
  fileprivate func facts(of entry: EntryPoint) -> [NodeFacts] {
    entries.map(\.facts).filter { $0.key.subgraph == entry.subgraphIndex }
  }

  /// The steps with the times of the runs so far that count, in the order of the file.
  public var steps: [ProfiledStep] { sample.map { steps($0, first: nil, nil, nil) } ?? [] }

  /// Returns the steps, with additional data from other runs of the same nodes.
  func steps(
    _ sample: RunSample, first: Profiler?, _ timeline: Timeline?, _ counts: ProcessorCounts?
  ) -> [ProfiledStep] {
    let firsts = Dictionary(
      (first ?? self).entries.map { ($0.facts.key, $0.nanoseconds[0]) },
      uniquingKeysWith: { earlier, _ in earlier })
    return entries.groups.map { group in
      let nanoseconds = group.entries.reduce(0) { $0 + (firsts[$1.facts.key] ?? 0) }
      var step = ProfiledStep(
        group, firstMilliseconds: Double(nanoseconds) / 1e6, runs: sample.kept)
      step.busyShare = timeline?.busyShare(of: group.performer)
      step.counts = counts?.counts(of: group.entries.map(\.facts.key)) ?? [:]
      return step
    }
  }
}
