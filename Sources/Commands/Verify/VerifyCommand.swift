import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusProof

/// `ocellus verify`: runs the cases of conformance corpora.
struct VerifyCommand: Command {
  private static let outputs = Option.flag(
    "outputs", help: "Show of each output how much of its tolerance it used.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")
  private static let tolerant = Option.flag(
    "tolerant",
    help: "Accept a case's alternatives, and errors at a later stage than the official one.")
  private static let filter = Option.list(
    "filter", "OP", accepts: .words(allOperators.map(\.name)),
    help: "Run only the cases in directories of this name; may be a comma list.")
  private static let threads = Option<[Int]>.integers(
    "threads", "N", in: 1...256, default: 1,
    help: "Threads of the engine; of several numbers all must give the same bits.")
  private static let runs = Option<Int>.integer(
    "runs", "N", in: 1...1_000_000, default: 1,
    help: "Runs with each number of threads, which must all give the same bits.")
  private static let resized = Option.flag(
    "resized",
    help: """
      Also resize the inputs of each case, run it, and resize them back: results must be those of a \
      fresh interpreter, tuned and plain, in either order.
      """)
  private static let traced = Option.flag(
    "traced",
    help: """
      Also run each case at every level of 'trace', as planned and with nodes kept apart, with each \
      number of threads: looking at tensors must not change a bit.
      """)
  private static let guarded = Option<MemoryGuard.Placement?>.choice(
    "guarded", "WHERE", of: MemoryGuard.Placement.allCases.map { ($0.rawValue, $0) },
    help: """
      Give every tensor, constant and working memory pages of its own, 'ending' or 'beginning' at a page \
      that nobody may touch: a case that reads or writes outside dies.
      """)
  private static let jobs = Option<Int?>.integer(
    "jobs", "N", in: 1...256,
    help: "Cases at the same time, each in a process of its own. Default: one for each processor.")
  private static let inProcess = Option.flag(
    "in-process", help: "Run the cases in this process, one by one, for use in a debugger.")
  private static let timeLimit = Option<Int>.integer(
    "time-limit-ms", "N", in: 1...(.max >> 32), default: 600_000,
    help: "Processor time that a case may take.")

  static let definition = CommandDefinition(
    name: "verify", summary: "Check the engine against the cases of a conformance corpus.",
    operand: OperandDefinition(
      "CASES", count: 1...(.max),
      help: "a directory with cases at any depth, a .tar.gz of one, or one case's .json file."
    ),
    options: [
      filter.definition, tolerant.definition,
    ] + EngineOptions.definitionsWithoutTimeLimit + [
      threads.definition, runs.definition, resized.definition, traced.definition,
      guarded.definition, jobs.definition, inProcess.definition,
      timeLimit.definition, outputs.definition, json.definition,
    ],
    discussion: """
      A case passes when the outputs have the expected types, shapes and values, within the case's \
      tolerance. A case that expects an error passes when the model is refused with an error at the \
      official runtime's stage (load, allocate, invoke) or before; a missing operator does not \
      count as such an error, unless the official runtime lacks it as well. A crash or a hang never passes.

      'tolerance used' is the error of the worst number of an output, as a fraction of its \
      tolerance. --json has it for every output, and a digest of the bits of each case's results.

      The last line says 'N passed, N failed'. The exit code is 1 if a case failed or none was found.
      """,
    examples: [
      .init(
        arguments: "Tests/Conformance/cases.tar.gz", purpose: "Run the corpus of the repository."),
      .init(
        arguments: "cases.tar.gz --filter ADD,MUL --reference",
        purpose: "Check the reference kernels of two operators."),
    ])

  private let paths: [String]
  private let groups: Set<String>
  /// The runner of the cases, with the engine's options.
  let runner: CaseRunner
  private let workerCount: Int
  private let isIsolated: Bool
  private let limits: WorkerLimits
  private let guardPlacement: MemoryGuard.Placement?
  private let listsOutputs: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    groups = Set(try arguments[Self.filter])
    let threadCounts = try arguments[Self.threads]
    runner = CaseRunner(
      // Cases have a limit of their own; reference kernels need over a minute for the largest
      // models.
      options: try EngineOptions.read(arguments, threads: threadCounts[0], time: nil),
      otherThreadCounts: Array(threadCounts.dropFirst()),
      runsPerThreadCount: try arguments[Self.runs], isResizing: try arguments[Self.resized],
      isTracing: try arguments[Self.traced], isTolerant: try arguments[Self.tolerant])
    workerCount = try arguments[Self.jobs] ?? ProcessorSet.allowedCount
    isIsolated = try !arguments[Self.inProcess]
    limits = WorkerLimits(
      secondsPerItem: Double(try arguments[Self.timeLimit]) / 1e3, memory: nil)
    guardPlacement = try arguments[Self.guarded]
    listsOutputs = try arguments[Self.outputs]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let start = MonotonicTime.now
    let cases = try CaseFinder(groups: groups).cases(in: paths)
    MemoryGuard.placement = guardPlacement
    let verdicts = try verdicts(on: cases, in: context)
    let report = VerifyReport(
      cases: cases, verdicts: verdicts, kernels: kernels, seconds: start.secondsToNow)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text(listsOutputs: listsOutputs))
    }
    if cases.isEmpty { context.complain("no case was found") }
    return report.failures.isEmpty && !cases.isEmpty ? .success : .failure
  }

  /// The kernels with which the cases run.
  private var kernels: String {
    if runner.options.usesReferenceKernels { return "reference" }
    let name = KernelTable.available.first?.name ?? "none"
    return runner.options.backend == .blas ? "\(name), OpenBLAS" : name
  }

  private func verdicts(
    on cases: [CaseFinder.Entry], in context: CommandContext
  ) throws -> [CaseVerdict] {
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    guard isIsolated else {
      return cases.enumerated().map { position, entry in
        progress.show("case \(position + 1) of \(cases.count): \(entry.label)")
        return judge(entry)
      }
    }
    let work = IsolatedWork(
      count: cases.count, workerCount: workerCount, answerSize: CaseVerdict.byteLimit,
      limits: limits)
    let outcomes = try work.run(
      progress: { begun in progress.show("case \(begun) of \(cases.count)") },
      item: { judge(cases[$0]).bytes })
    return cases.indices.map { CaseVerdict(outcomes[$0], limits: limits) }
  }

  private func judge(_ entry: CaseFinder.Entry) -> CaseVerdict {
    do {
      return runner.judge(try ConformanceCase(path: entry.path, in: entry.files))
    } catch {
      return .failed("\(error)")
    }
  }
}
