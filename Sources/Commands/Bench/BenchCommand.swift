import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProfile

/// `ocellus bench`: times loading and running a model.
struct BenchCommand: Command {
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let warmup = Option<Int>.integer(
    "warmup", "N", in: 0...1_000_000, default: 3,
    help: "Runs behind the first that are not counted.")
  private static let runs = Option<Int>.integer(
    "runs", "N", in: 1...1_000_000, default: 20, help: "Runs that are counted.")
  private static let profile = Option.flag(
    "profile", help: "Also time every step, in runs of their own, and show the slowest.")
  private static let trace = Option<TraceLevel?>.choice(
    "trace", "LEVEL", of: TraceLevel.allCases.map { ($0.rawValue, $0) },
    help: "Look at every tensor in every run as 'trace' does, to see what that costs.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "bench", summary: "Time loading and running a model.",
    operand: .model,
    options: [
      threads.definition, warmup.definition, runs.definition,
    ] + EngineOptions.definitions + [profile.definition, trace.definition, json.definition],
    discussion: """
      Loading is everything from opening the file to being ready to run: tensors are placed, weights \
      packed. Inputs get the deterministic stream that 'run' uses. The peak of memory is that of the \
      whole process, in resident KiB.
      """,
    examples: [
      .init(
        arguments: "model.tflite --threads 4 --runs 100 --json",
        purpose: "A hundred runs on four threads, for a program to read."),
      .init(arguments: "model.tflite --profile", purpose: "Where the time goes."),
    ])

  private let modelPath: String
  private let options: Interpreter.Options
  private let warmupCount: Int
  private let runCount: Int
  private let isProfiled: Bool
  private let traceLevel: TraceLevel?
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    traceLevel = try arguments[Self.trace]
    var options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    options.keepsNodesApart = traceLevel != nil
    self.options = options
    warmupCount = try arguments[Self.warmup]
    runCount = try arguments[Self.runs]
    isProfiled = try arguments[Self.profile]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let loadStart = MonotonicTime.now
    let interpreter = try Interpreter(
      Model(FileOrStream.model(modelPath)), options: options)
    try interpreter.allocate()
    let load = loadStart.millisecondsToNow
    for index in interpreter.inputs.indices { try interpreter.main.fillInput(at: index) }
    if let traceLevel { interpreter.observer = Tracer(level: traceLevel) { _ in } }
    let first = try time(interpreter)
    for _ in 0..<warmupCount { try interpreter.run() }
    let progress = ProgressLine(in: context)
    let times = try (1...runCount).map { run in
      progress.show("run \(run) of \(runCount)")
      return try time(interpreter)
    }
    progress.clear()
    let steps = isProfiled ? try profile(interpreter) : nil
    let report = BenchReport(
      modelPath: modelPath, modelBytes: interpreter.model.file.bytes, threads: options.threads,
      loadMilliseconds: load,
      firstMilliseconds: first, milliseconds: TimeStatistics(times),
      peakResidentKibibytes: try ProcessMemory.peakResidentKibibytes(), steps: steps)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return .success
  }

  private func profile(_ interpreter: Interpreter) throws(ModelError) -> [ProfiledStep] {
    let profiler = Profiler()
    for _ in 0..<runCount { try profiler.record(interpreter) }
    return profiler.steps
  }

  private func time(_ interpreter: Interpreter) throws(ModelError) -> Double {
    let start = MonotonicTime.now
    try interpreter.run()
    return start.millisecondsToNow
  }
}
