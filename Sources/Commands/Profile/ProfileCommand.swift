import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProfile

/// `ocellus profile`: shows the time of each step relative to the machine's limits.
struct ProfileCommand: Command {
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let warmup = Option<Int>.integer(
    "warmup", "N", in: 0...1_000_000, default: 3,
    help: "Warm-up runs after the first; they are not counted.")
  private static let runs = Option<Int>.integer(
    "runs", "N", in: 1...100_000, default: 30,
    help: "Runs that are timed step by step, and as many without, in turns.")
  private static let baseline = Option<String?>.text(
    "baseline", "FILE", accepts: .file,
    help: """
      Compare with these results of 'profile --json', one line for each process: profile in the \
      same number of processes, and report what changed.
      """)
  private static let processes = Option<Int?>.integer(
    "processes", "N", in: 1...60,
    help: "Profile in so many processes, one after the other; with --json, a line of each.")
  private static let by = Option<StepTables.Grouping?>.choice(
    "by", "GROUP", of: StepTables.Grouping.allCases.map { ($0.rawValue, $0) },
    help: "How steps are grouped in the first table. Default: operator.")
  private static let steps = Option<Int>.integer(
    "steps", "N", in: 0...1_000_000, default: 20, help: "Show so many of the slowest steps.")
  private static let noLimits = Option.flag(
    "no-limits", help: "Leave out measuring what the machine can do, which takes about a second.")
  private static let csv = Option.flag("csv", help: "Print a line of CSV for each step.")
  private static let trace = Option<String?>.text(
    "trace", "FILE.json", accepts: .newFile,
    help: "Write a typical run, thread by thread, for chrome://tracing or Perfetto.")
  private static let nodeData = Option<String?>.text(
    "node-data", "FILE.json", accepts: .newFile,
    help: "Write the nodes' milliseconds for Model Explorer, to load beside the model.")
  private static let html = Option<String?>.text(
    "html", "FILE.html", accepts: .newFile, help: "Write a page to read.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of tables.")

  static let definition = CommandDefinition(
    name: "profile", summary: "Show where the time of a model goes, and what limits it.",
    operand: OperandDefinition(
      "MODEL", accepts: .model,
      help: """
        a .tflite file, the name of a model that was pulled, or '-' for standard input; perhaps with \
        @WAY behind it
        """),
    options: RunInputs.definitions + [
      threads.definition, warmup.definition, runs.definition, baseline.definition,
      processes.definition,
    ] + EngineOptions.definitions + RunInputs.pictureDefinitions + [
      by.definition, steps.definition, noLimits.definition, csv.definition, trace.definition,
      nodeData.definition, html.definition, OutputClaims.force.definition, json.definition,
    ],
    discussion: """
      Every second run is timed step by step; the others are not, so the cost of timing is \
      known. The work of fused nodes is shown once, with the nodes below it; loops and calls are \
      charged only with the time that the steps of their bodies leave unexplained. Bytes are \
      those of operands, weights and results, each counted once.

      A step's limit is the shortest time it could take: its multiplications at the speed of \
      registers, or its bytes at the speed of the nearest cache that could hold all of them, \
      whichever is longer ('bound by'). Both speeds are measured when the command runs, with the \
      same number of threads. 'of limit' is that limit divided by the step's median time; for \
      several steps, the sum of their limits divided by the sum of their times, without steps that \
      have no limit. '±%' is half the interquartile range.

      Runs that other work on the machine interrupts, by involuntary context switches, waiting for \
      a processor or time that a hypervisor takes, are left out. If nearly all are, or if half of the runs differ by more \
      than 30 % from their median, the times are noise: they are shown, but not compared with the \
      limits. The same holds for single steps.

      Ways are those of 'bench': model.tflite@avx2. Processes differ more than runs do, so a \
      baseline needs several, fifteen, say. The whole machine may have become slower or faster \
      since then, so steps are compared with each other. If you have both versions, alternate between them with \
      'bench compare'.
      """,
    examples: [
      .init(
        arguments: "model.tflite --input photo.jpg",
        purpose: "The operators, the slowest steps, and how good they are."),
      .init(
        arguments: "model.tflite --threads 4 --trace run.json --html profile.html",
        purpose: "A timeline of the threads, and a page with a roofline."),
      .init(arguments: "model.tflite --csv", purpose: "Every step, for a spreadsheet."),
      .init(
        arguments: "model.tflite --processes 15 --json", purpose: "A baseline, into a file."),
      .init(
        arguments: "model.tflite --baseline before.jsonl", purpose: "What is slower since then?"),
    ])

  private let way: ModelSpecifier
  private let inputs: RunInputs
  private let options: Interpreter.Options
  private let series: ProfileSeries?
  private let thoroughness: Profile.Options
  private let grouping: StepTables.Grouping
  private let shownSteps: Int
  private let tracePath: String?
  private let nodeDataPath: String?
  private let pagePath: String?
  private let isCSV: Bool
  private let isJSON: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    way = try ModelSpecifier(arguments.operands[0])
    inputs = try RunInputs(arguments)
    let threads = try arguments[Self.threads]
    options = way.options(try EngineOptions.read(arguments, threads: threads))
    thoroughness = Profile.Options(
      runs: try arguments[Self.runs], warmupRuns: try arguments[Self.warmup],
      measuresLimits: !(try arguments[Self.noLimits]))
    grouping = try arguments[Self.by] ?? .operator
    shownSteps = try arguments[Self.steps]
    tracePath = try arguments[Self.trace]
    nodeDataPath = try arguments[Self.nodeData]
    pagePath = try arguments[Self.html]
    isCSV = try arguments[Self.csv]
    isJSON = try arguments[Self.json]
    isForced = try arguments[OutputClaims.force]
    if isCSV, isJSON { throw UsageError("--csv and --json are two forms of one result; take one") }
    let (baseline, processes) = (try arguments[Self.baseline], try arguments[Self.processes])
    guard baseline != nil || processes != nil else {
      series = nil
      return
    }
    series = ProfileSeries(
      subject: .init(model: way.path.lastPathComponent, threads: threads), runs: thoroughness.runs,
      process: ProfilingProcess(
        arguments.operands
          + arguments.words(
            of: Self.definition,
            without: ["baseline", "processes", "runs", "json", "no-limits", "force", "help"])),
      processCount: processes, baseline: baseline)
    let one = ["csv", "trace", "node-data", "html"].first { arguments.texts[$0] != nil }
    if let one {
      throw UsageError("--\(one) is about one process: leave out --processes and --baseline")
    }
    if way.path == "-" { throw UsageError("standard input ('-') can be read by one process only") }
    if baseline == nil, !isJSON { throw UsageError("--processes wants --json or --baseline") }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    context.warnUnlessOptimized()
    if let series { return try series.run(isJSON: isJSON, in: context) }
    let claims = try claims()
    let start = MonotonicTime.now
    let model = try Model(FileOrStream.model(way.path))
    let interpreter = try Interpreter(model, options: options)
    let load = start.millisecondsToNow
    let entry = try inputs.entry(of: interpreter)
    let planning = MonotonicTime.now
    // The declared shapes may be unusable; the inputs will set others.
    _ = try? entry.allocate()
    let planningTime = planning.millisecondsToNow
    try inputs.set(in: entry, of: interpreter)

    let progress = ProgressLine(in: context)
    let profile = try Profile(of: interpreter, entry, options: thoroughness) { done, all in
      progress.show("run \(done + 1) of \(all)")
    }
    progress.clear()
    try StrategyArguments.requireUse(of: options.strategies, in: entry.plan)
    let report = ProfileReport(
      way: way, model: model, signature: inputs.signatureKey, backend: options.backend,
      loadMilliseconds: load, planningMilliseconds: planningTime, profile: profile,
      grouping: grouping, shownSteps: shownSteps)
    try write(report, in: context)
    try printReport(report, in: context.reporting(beside: claims))
    for warning in report.warnings { context.complain("warning: \(warning)") }
    return .success
  }

  private func claims() throws(UsageError) -> OutputClaims {
    var claims = OutputClaims(reading: [way.path] + inputs.paths, isForced: isForced)
    if let tracePath { try claims.claim(tracePath, for: "--trace") }
    if let nodeDataPath { try claims.claim(nodeDataPath, for: "--node-data") }
    if let pagePath { try claims.claim(pagePath, for: "--html") }
    return claims
  }

  private func write(_ report: ProfileReport, in context: CommandContext) throws {
    if let tracePath {
      try context.write(Array((report.profile.chromeTrace.text + "\n").utf8), to: tracePath)
    }
    if let nodeDataPath {
      let data = report.profile.nodeData(of: report.model)
      try context.write(Array((data.text + "\n").utf8), to: nodeDataPath)
    }
    if let pagePath {
      try context.write(Array(ProfilePage(report.pageContents).html.utf8), to: pagePath)
    }
  }

  private func printReport(_ report: ProfileReport, in context: CommandContext) throws {
    if isJSON {
      try context.print(report.json)
    } else if isCSV {
      try context.write(report.csv)
    } else {
      try context.write(report.text)
    }
  }
}
