import OcellusAudit
import OcellusEngine
import OcellusPlatform

/// `ocellus bench`: times the loading and running of models.
struct BenchCommand: Command {
  private static let threads = Option<[Int]>.integers(
    "threads", "N", in: 1...256, default: 1,
    help: """
      Threads that share the work; with several numbers, each model runs with each. To compare: two \
      numbers are those of the first side and of the second.
      """)
  private static let warmup = Option<Int>.integer(
    "warmup", "N", in: 0...1_000_000, default: 3,
    help: "Warm-up runs after the first; they are not counted.")
  private static let runs = Option<Int?>.integer(
    "runs", "N", in: 1...1_000_000,
    help: "Runs that are counted. Default: 20; to compare, as many as take a tenth of a second.")
  private static let seconds = Option<Double?>.number(
    "min-seconds", "S", in: 0...86_400, help: "Go on running until so much time has passed.")
  private static let rounds = Option<Int>.integer(
    "rounds", "N", in: 2...60, default: 15, help: "To compare: how often the two take turns.")
  private static let program = Option<String?>.text(
    "program", "FILE", accepts: .file,
    help: "To compare: the program that runs the first side, such as an older build.")
  private static let profile = Option.flag(
    "profile", help: "Also time every step, in runs of their own, and show the slowest.")
  private static let trace = Option<TraceLevel?>.choice(
    "trace", "LEVEL", of: TraceLevel.allCases.map { ($0.rawValue, $0) },
    help: "Look at every tensor in every run as 'trace' does, to see what that costs.")
  private static let watch = Option.flag(
    "watch", help: "Run repeatedly until Ctrl-C, and show the speed on the terminal.")
  private static let json = Option.flag(
    "json", help: "Print one JSON object for each model and number of threads.")

  static let definition = CommandDefinition(
    name: "bench", summary: "Time loading and running models, or compare two.",
    operand: OperandDefinition(
      "[compare] MODEL...", count: 1...(.max), accepts: .model, actions: ["compare"],
      help: """
        a .tflite file, the name of a model that was pulled, or '-' for standard input; \
        optionally followed by @WAY; after 'compare', two of these
        """),
    options: [
      threads.definition, warmup.definition, runs.definition, seconds.definition,
    ] + RunInputs.definitions + EngineOptions.definitions + RunInputs.pictureDefinitions + [
      profile.definition, trace.definition, watch.definition, rounds.definition,
      program.definition, json.definition,
    ],
    discussion: """
      Loading is everything from opening the file to being ready to run: tensors are placed, weights \
      packed. The peak of memory is that of the whole process, in resident KiB; several models, or \
      numbers of threads, get processes of their own. Ways are fast, exact, reference, blas and the \
      instruction sets of 'ocellus cpu', several with commas: model.tflite@exact,avx2.

      'bench compare' lets two sides take turns, each time in a process of its own. The ratio is the \
      time of the first over that of the second, so above 1 the second is faster; the interval behind \
      it would hold the ratio in 95 of 100 repetitions, and a difference is reported by mistake \
      in at most one of 100. 'by itself' compares each side with itself: the noise of the \
      machine. Below are the steps that cause the difference. The second side may be another way to run the first, \
      model.tflite @avx2, or be left out, with --program or with two numbers of threads.
      """,
    examples: [
      .init(
        arguments: "model.tflite --threads 4 --runs 100 --json",
        purpose: "A hundred runs on four threads, for a program to read."),
      .init(arguments: "model.tflite --profile", purpose: "Where the time goes."),
      .init(
        arguments: "a.tflite b.tflite b.tflite@avx2 --threads 1,2,4",
        purpose: "A table of models, an instruction set, and numbers of threads."),
      .init(
        arguments: "compare model.tflite --program before/ocellus",
        purpose: "Has a change to the program made it slower, and which step?"),
      .init(
        arguments: "compare model.tflite --threads 1,2",
        purpose: "What does a second thread gain, and in which steps?"),
    ])

  private let models: [String]
  private let isComparison: Bool
  private let threadCounts: [Int]
  private let rounds: Int
  private let program: String?
  private let thoroughness: BenchRun.Thoroughness
  private let requestedRuns: Int?
  private let inputs: RunInputs
  private let options: Interpreter.Options
  private let isWatched: Bool
  private let isJSON: Bool
  /// The options as words for other processes.
  private let words: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    isComparison = arguments.operands[0] == "compare"
    models = isComparison ? Array(arguments.operands.dropFirst()) : arguments.operands
    threadCounts = try arguments[Self.threads]
    rounds = try arguments[Self.rounds]
    program = try arguments[Self.program]
    requestedRuns = try arguments[Self.runs]
    thoroughness = BenchRun.Thoroughness(
      warmupRuns: try arguments[Self.warmup], runs: requestedRuns ?? 20,
      seconds: try arguments[Self.seconds] ?? 0, isProfiled: try arguments[Self.profile],
      traceLevel: try arguments[Self.trace])
    inputs = try RunInputs(arguments)
    var options = try EngineOptions.read(arguments, threads: threadCounts[0])
    options.runsNodesSeparately = thoroughness.traceLevel != nil
    self.options = options
    isWatched = try arguments[Self.watch]
    isJSON = try arguments[Self.json]
    words = arguments.words(
      of: Self.definition, without: ["threads", "rounds", "runs", "program", "json", "help"])
    for model in models { _ = try ModelSpecifier(model) }
    try check(arguments)
  }

  /// Refuses contradictory options.
  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    let names = Set(arguments.texts.keys)
    func refuse(_ options: [String], _ reason: String) throws(UsageError) {
      if let name = options.first(where: names.contains) { throw UsageError("--\(name) \(reason)") }
    }
    let subjects = models.count * threadCounts.count
    if isComparison {
      try refuse(["profile", "trace", "watch", "min-seconds"], "is not for 'bench compare'")
      let isOneModel = Set(models).count == 1 && program == nil
      guard threadCounts.count == 1 || threadCounts.count == 2 && isOneModel else {
        throw UsageError(
          "'bench compare' wants one number of threads, or two for one model, such as --threads 1,2: "
            + "otherwise nobody could tell what made the difference")
      }
      guard models.count == 2 || models.count == 1 && (program != nil || threadCounts.count == 2)
      else {
        throw UsageError(
          "'bench compare' wants two sides, A and B, or one and --program or --threads N,N")
      }
      if models[0].hasPrefix("@") { throw UsageError("the first side has to name a file") }
    } else {
      try refuse(["rounds", "program"], "is for 'bench compare'")
      if isWatched {
        try refuse(["json", "profile", "trace"], "is not for --watch, which shows one line")
        if subjects > 1 { throw UsageError("--watch is for one model and number of threads") }
      }
    }
    if subjects > 1 || isComparison, models.contains(where: { $0.hasPrefix("-") }) {
      throw UsageError("standard input ('-') can be read by one process only")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    context.warnUnlessOptimized()
    if isComparison {
      try compare(in: context)
    } else if models.count * threadCounts.count > 1 {
      let sweep = BenchSweep(
        models: models, threadCounts: threadCounts,
        words: words + (requestedRuns.map { ["--runs=\($0)"] } ?? []))
      return try sweep.run(isJSON: isJSON, in: context)
    } else {
      try measure(ModelSpecifier(models[0]), in: context)
    }
    return .success
  }

  private func measure(_ way: ModelSpecifier, in context: CommandContext) throws {
    let run = try BenchRun(way, options, inputs, thoroughness)
    if isWatched { return try run.watch(in: context) }
    let report = try run.report(in: context)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
  }

  private func compare(in context: CommandContext) throws {
    let paths = models.map { $0.hasPrefix("@") ? models[0].withoutModes + $0 : $0 }
    func side(_ path: String, _ program: String?, threads: Int) throws -> BenchComparison.Side {
      let process = ProfilingProcess(
        program: program ?? ProfilingProcess.thisProgram, [path] + words + ["--threads=\(threads)"])
      return .init(
        title: (program.map { "\($0) " } ?? "") + (try ModelSpecifier(path).title()),
        threads: threads, process: process)
    }
    let comparison = BenchComparison(
      old: try side(paths[0], program, threads: threadCounts[0]),
      new: try side(paths[paths.count - 1], nil, threads: threadCounts[threadCounts.count - 1]),
      rounds: rounds, runs: requestedRuns)
    let progress = ProgressLine(in: context)
    let (measured, runs) = try comparison.measure { round in
      progress.show("round \(round + 1) of \(rounds)")
    }
    progress.clear()
    let report = BenchComparisonReport(
      old: comparison.old, new: comparison.new, runs: runs, rounds: measured)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
  }
}

extension String {
  /// The path of a side, without the settings after the @.
  fileprivate var withoutModes: String { (try? ModelSpecifier(self))?.path ?? self }
}
