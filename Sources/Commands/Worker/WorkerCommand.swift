import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus worker`: answers a stream of requests, for programs that have millions of them.
struct WorkerCommand: Command {
  private static let requests = Option<String?>.text(
    "requests", "FILE", accepts: .file, help: "Read requests from FILE instead of standard input.")
  private static let jobs = Option<Int?>.integer(
    "jobs", "N", in: 1...1024,
    help: "Requests at the same time. Default: one for each processor that the program may use.")
  private static let unordered = Option.flag(
    "unordered", help: "Answer as soon as an answer is ready, not in the order of the requests.")
  private static let frames = Option.flag(
    "frames",
    help: """
      Read the files themselves instead of lines, each preceded by its length in bytes: four \
      bytes, lowest first.
      """)
  private static let deadline = Option<Int?>.integer(
    "deadline", "MS", in: 1...86_400_000,
    help: "The longest that the network may take for a request, in milliseconds.")
  private static let receipt = Option.flag(
    "receipt",
    help: "Put hashes of the model, of what it was shown and of the result into each answer.")
  private static let metrics = Option<String?>.text(
    "metrics", "FILE", accepts: .newFile,
    help: "Write counts and times to FILE every few seconds, in the text form of Prometheus.")

  static let definition = CommandDefinition(
    name: "worker", summary: "Answer requests on standard input, one line each, for large jobs.",
    operand: OperandDefinition(
      "TASK", help: "what to do with each request: detect, label, run or evaluate"),
    options: [
      requests.definition, jobs.definition, unordered.definition, frames.definition,
      deadline.definition, receipt.definition, metrics.definition,
    ] + PictureOptions.definitionsWithLabels + [Option<BoundingBox?>.region.definition]
      + ObjectOptions.definitions
      + LabelOptions.definitions.filter { option in
        !ObjectOptions.definitions.contains { $0.name == option.name }
      } + [
        EvaluateCommand.annotations.definition, EvaluateCommand.images.definition,
        EvaluateCommand.score.definition, OutputClaims.force.definition,
      ],
    discussion: """
      A request is a line: a path, or JSON such as {"id": 7, "path": "a.jpg"}, {"id": 8, "data": "…"} \
      with a file in base64, or, for 'run', {"id": 9, "inputs": {"image": "a.npy"}}. Its answer is one \
      line of JSON with the same id (without one, the number of the request as 'request') and what 'detect', \
      'label' or 'run' would say, or with an error: a bad request harms no other, and not the exit code.

      'evaluate' wants annotations, finds what 'evaluate' judges, and reports for each picture \
      what is wrong; the lines of all workers together are input for 'ocellus evaluate'.

      Not more than four requests for each job are read ahead, so that whoever reads slowly slows the \
      worker down. At SIGTERM it answers what it has read, and ends. At the end it prints a \
      summary on standard error.
      """,
    examples: [
      .init(
        arguments: "detect -m ssd.tflite < paths.txt > results.jsonl",
        purpose: "A line for each picture."),
      .init(
        arguments: "run -m model.tflite --jobs 2 --unordered",
        purpose: "Two interpreters over one model."),
      .init(
        arguments: "evaluate -m ssd.tflite --annotations instances.json < part.txt > part.jsonl",
        purpose: "A part of an evaluation."),
    ])

  /// The work to be done for each request.
  private enum Work {
    case detect(ObjectOptions)
    case label(LabelOptions)
    case run(InputOptions)
    case evaluate(ObjectOptions, LabelOptions, Truth)
  }

  /// The ground truth by which answers are judged.
  private struct Truth {
    var path: String
    var images: String?
    var scoreThreshold: Double
  }

  private let work: Work
  /// The options about the model and the pictures, including the time limit of a request.
  let options: PictureOptions
  private let pictures: RequestedPictures
  private let requestsPath: String?
  private let jobCount: Int
  private let isOrdered: Bool
  private let form: RequestReader.Form
  private let givesReceipts: Bool
  private let metricsPath: String?
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    requestsPath = try arguments[Self.requests]
    jobCount = try arguments[Self.jobs] ?? ProcessorSet.allowedCount
    isOrdered = !(try arguments[Self.unordered])
    form = try arguments[Self.frames] ? .frames : .lines
    givesReceipts = try arguments[Self.receipt]
    metricsPath = try arguments[Self.metrics]
    isForced = try arguments[OutputClaims.force]
    var options = try PictureOptions(arguments)
    if let deadline = try arguments[Self.deadline] {
      options.budget.hurry(to: .milliseconds(deadline))
    }
    guard requestsPath != nil || options.givenModelPath != "-" else {
      throw UsageError("standard input has the requests; name the model's file, or give --requests")
    }
    self.options = options
    let region = try arguments[Option<BoundingBox?>.region]
    pictures = RequestedPictures(
      region: region, ignoresOrientation: options.ignoresOrientation,
      isWhole: region != nil || options.numerics.areOfficial)
    let name = arguments.operands[0]
    if name != "evaluate", let path = try arguments[EvaluateCommand.annotations] {
      throw UsageError("'\(name)' does not judge: --annotations \(path) is for evaluate")
    }
    switch name {
    case "detect": work = .detect(try ObjectOptions(arguments, options))
    case "label": work = .label(try LabelOptions(arguments, options))
    case "run": work = .run(try InputOptions(arguments))
    case "evaluate":
      work = .evaluate(
        try ObjectOptions(arguments, options).wantingAll,
        try LabelOptions(arguments, options).wantingAll, try Self.truth(arguments))
    default:
      throw UsageError("a worker does not '\(name)': say detect, label, run or evaluate")
    }
  }

  private static func truth(_ arguments: ParsedArguments) throws(UsageError) -> Truth {
    guard let path = try arguments[EvaluateCommand.annotations] else {
      throw UsageError("evaluate needs annotations: --annotations TRUTH")
    }
    return Truth(
      path: path, images: try arguments[EvaluateCommand.images],
      scoreThreshold: try arguments[EvaluateCommand.score] ?? EvaluateCommand.usualScore)
  }

  private func task() throws -> any WorkerTask {
    switch work {
    case .detect(let objects): return try detection(objects)
    case .label(let labeling): return try labels(labeling)
    case .evaluate(let objects, let labeling, let truth):
      let annotations = try Annotations(contentsOf: truth.path, images: truth.images)
      let judge = PredictionJudge(annotations, scoreThreshold: truth.scoreThreshold)
      return EvaluationWork(
        looking: annotations.subject == .objects
          ? try detection(objects, judge.check) : try labels(labeling, judge.check),
        judge: judge)
    case .run(let showing):
      return TensorWork(
        model: try ModelSource(options.requiredModelPath(for: "worker run")),
        options: .init(
          threads: options.threads, budget: options.budget, numerics: options.numerics),
        showing: showing)
    }
  }

  private func detection(
    _ objects: ObjectOptions, _ check: ClassCheck? = nil
  ) throws -> DetectionWork {
    DetectionWork(
      model: try options.modelSource(orElse: .detector), pictures: pictures,
      objects: objects, check: check)
  }

  private func labels(
    _ labeling: LabelOptions, _ check: ClassCheck? = nil
  ) throws -> LabelWork {
    LabelWork(
      model: try options.modelSource(orElse: .labeler), pictures: pictures,
      labeling: labeling, check: check)
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let inputPaths = options.inputPaths + [requestsPath].compactMap(\.self)
    var claims = OutputClaims(reading: inputPaths, isForced: isForced)
    if let metricsPath { try claims.claim(metricsPath, for: "--metrics") }
    let task = try task()
    let warnings = [task.model.defaultModel?.warning].compactMap(\.self)
    for warning in warnings { context.complain("warning: \(warning)") }
    let header = task.model.json + ["model_warnings": .strings(warnings)]
    let answering = AnswerFormatter(
      header: Program.signature(of: "worker") + header,
      modelHash: givesReceipts ? header["model_sha256"]?.string ?? "" : nil)
    let pipeline = RequestPipeline(
      try task.answerers(jobCount).map { answerer in
        { @Sendable request in answering.answer(to: request, by: answerer) }
      }, isOrdered: isOrdered)
    let stream = try requestsPath.map { try OpenFile(reading: $0) } ?? .standardInput
    let reader = Monitor(RequestReader(stream, form: form, termination: Termination.watch()))
    let target = AnswerOutput(
      context.output, metricsPath: metricsPath, statistics: answering.statistics)
    try pipeline.run(
      next: { try reader.change { try $0.next() } },
      write: { answers throws(FileError) in try target.write(answers) })
    try target.writeMetrics()
    context.note("ocellus: \(answering.statistics.change { $0.text })\n")
    return .success
  }
}

extension RunBudget {
  /// An effectively unlimited time, since `nil` would mean the limit of a run.
  private static let anyTime = Duration.seconds(1 << 40)

  /// Limits the time of each run; planning keeps its limit, since no request waits for it.
  fileprivate mutating func hurry(to time: Duration) {
    planningTime = planningTime ?? self.time ?? Self.anyTime
    self.time = time
  }
}

/// Formats answers as lines and counts them.
private struct AnswerFormatter: Sendable {
  /// The members at the start of all answers.
  let header: JSONObject
  /// The model's hash, if answers contain receipts.
  let modelHash: String?
  let statistics = Monitor(WorkStatistics())

  func answer(to request: WorkRequest, by answerer: RequestHandler) -> [UInt8] {
    let start = MonotonicTime.now
    var line = header + request.signature
    var isFailure = false
    do {
      let (input, result) = try answerer(request)
      line.append(result)
      if let modelHash {
        let digest = ResultReceipt(
          modelHash: modelHash, inputHash: SHA256.hash(input).hexadecimal, result: result)
        line.append("receipt", digest.json)
      }
    } catch {
      isFailure = true
      if case .file(let path) = request.source { line.append("image", .string(path)) }
      line.append("error", .string("\(error)"))
    }
    statistics.change { $0.add(seconds: start.secondsToNow, isFailure: isFailure) }
    return (JSONValue.object(line).printableText + "\n").fileNameBytes
  }
}

/// Writes answers and, every few seconds, the metrics file for Prometheus.
///
/// Unchecked: one thread at a time writes, first one of the pipeline's, and finally the command's.
private final class AnswerOutput: @unchecked Sendable {
  private static let interval = 5.0
  private let output: any TextOutput
  private let metricsPath: String?
  private let statistics: Monitor<WorkStatistics>
  private var last = MonotonicTime.now

  init(_ output: any TextOutput, metricsPath: String?, statistics: Monitor<WorkStatistics>) {
    self.output = output
    self.metricsPath = metricsPath
    self.statistics = statistics
  }

  /// Writes answers and flushes them, so that they reach the reader at once.
  func write(_ answers: [[UInt8]]) throws(FileError) {
    for answer in answers { try output.write(answer) }
    try output.flush()
    if last.secondsToNow >= Self.interval { try writeMetrics() }
  }

  func writeMetrics() throws(FileError) {
    last = .now
    guard let metricsPath else { return }
    try FileSystem.write(Array(statistics.change { $0.prometheus }.utf8), to: metricsPath)
  }
}
