import OcellusAudit
import OcellusEngine
import OcellusModelFile
import OcellusPlatform
import OcellusProfile

/// A model that is loaded in this process and ready to be timed.
struct BenchRun {
  /// The number of runs and what is measured in them.
  struct Thoroughness {
    let warmupRuns: Int
    let runs: Int
    /// The minimum duration of all runs in seconds, for which more runs may be added.
    let seconds: Double
    let isProfiled: Bool
    let traceLevel: TraceLevel?
  }

  private let way: ModelSpecifier
  private let interpreter: Interpreter
  private let entry: EntryPoint
  private let signature: String?
  private let thoroughness: Thoroughness
  private let loadMilliseconds: Double
  private let loadedKibibytes: Int

  /// Loads a model and sets its inputs.
  init(
    _ way: ModelSpecifier, _ options: Interpreter.Options, _ inputs: RunInputs,
    _ thoroughness: Thoroughness
  ) throws {
    let start = MonotonicTime.now
    let model = try Model(FileOrStream.model(way.path))
    interpreter = try Interpreter(model, options: way.options(options))
    entry = try inputs.entry(of: interpreter)
    // The declared shapes may be unusable, in which case the inputs provide others.
    if inputs.paths.isEmpty { try entry.allocate() } else { _ = try? entry.allocate() }
    loadMilliseconds = start.millisecondsToNow
    loadedKibibytes = try ProcessMemory.peakResidentKibibytes()
    try inputs.set(in: entry, of: interpreter)
    if let level = thoroughness.traceLevel {
      interpreter.observer = Tracer(level: level) { _ in }
    }
    self.way = way
    self.thoroughness = thoroughness
    signature = inputs.signatureKey
  }

  /// Runs the requested number of times.
  func report(in context: CommandContext) throws -> BenchReport {
    let first = try time()
    try StrategyArguments.requireUse(of: interpreter.options.strategies, in: entry.plan)
    let warmup = try (0..<thoroughness.warmupRuns).map { _ in try time() }
    let progress = ProgressLine(in: context)
    let start = MonotonicTime.now
    var times: [Double] = []
    while times.count < thoroughness.runs || start.secondsToNow < thoroughness.seconds {
      progress.show("run \(times.count + 1) of \(thoroughness.runs)")
      times.append(try time())
    }
    progress.clear()
    let profiler = thoroughness.isProfiled ? try profile() : nil
    if let warning = profiler?.noise?.warning {
      context.complain("warning: of the runs that time steps: \(warning)")
    }
    return BenchReport(
      modelPath: way.path, way: way, modelBytes: interpreter.model.file.bytes,
      signature: signature, threads: interpreter.options.threads,
      instructionSet: interpreter.instructionSet, loadMilliseconds: loadMilliseconds,
      firstMilliseconds: first, warmup: warmup.isEmpty ? nil : TimeStatistics(warmup),
      milliseconds: TimeStatistics(times), loadedKibibytes: loadedKibibytes,
      peakResidentKibibytes: try ProcessMemory.peakResidentKibibytes(),
      steps: profiler?.steps, stepNoise: profiler?.noise)
  }

  private func profile() throws(ModelError) -> Profiler {
    let profiler = Profiler()
    for _ in 0..<thoroughness.runs { try profiler.record(interpreter, entry) }
    return profiler
  }

  private func time() throws(ModelError) -> Double {
    Double(try entry.nanoseconds(ofRuns: 1)) / 1e6
  }

  // MARK: Watching

  /// The interval between updates of the line, and the number of updates in its sparkline.
  private static let secondsPerLine = 0.5
  private static let picturedLines = 40

  /// Runs until the process is interrupted and shows the times of the last half second.
  func watch(in context: CommandContext) throws {
    guard context.errorsGoToTerminal else {
      throw UsageError("--watch shows a line on a terminal, but standard error is not a terminal")
    }
    context.note("\(way.title()), Ctrl-C ends it\n")
    var history: [Double] = []
    while true {
      let start = MonotonicTime.now
      var times: [Double] = []
      repeat { times.append(try time()) } while start.secondsToNow < Self.secondsPerLine
      let figures = TimeStatistics(times)
      history = (history + [figures.median]).suffix(Self.picturedLines)
      context.show(
        """
        \(figures.median.fixed(3)) ms, 9 of 10 within \
        \(figures.ninetiethPercentile.fixed(3)), \
        \((Double(times.count) / start.secondsToNow).fixed(1)) runs/s \(Sparkline(history))
        """)
    }
  }
}
