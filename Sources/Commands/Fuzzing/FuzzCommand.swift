import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof

/// `ocellus fuzz`: runs the engine on damaged models.
struct FuzzCommand: Command {
  private static let mutants = Option<Int?>.integer(
    "mutants", "N", in: 1...1_000_000_000,
    help: """
      Mutants in all, in turns over the models. Default: 10,000, or of 'numbers' every one that has a \
      single change.
      """)
  private static let seed = Option<Int>.integer(
    "seed", "S", in: 0...(.max), default: 1,
    help: "Another seed makes other mutants; the same one makes the same.")
  private static let kind = Option<MutationKind?>.choice(
    "kind", "KIND", of: MutationKind.allCases.map { ($0.rawValue, $0) },
    help: """
      What mutants change: 'bytes' of the file; its 'graph', written to a new file; or each of \
      the 'numbers' in the file, set to extremes. Default: bytes.
      """)
  private static let budget = Option<Int>.integer(
    "budget-mb", "N", in: 1...1 << 20, default: 64,
    help: "Memory that the engine may give a mutant, in MiB.")
  private static let timeLimit = Option<Int>.integer(
    "time-limit-ms", "N", in: 1...(.max >> 32), default: 1000,
    help: "Processor time after which a mutant counts as hanging.")
  private static let jobs = Option<Int?>.integer(
    "jobs", "N", in: 1...256, help: "Processes at the same time. Default: one for each processor.")
  private static let reference = Option.flag(
    "reference", help: "Run the reference kernel of every operator instead of tuned kernels.")
  private static let replay = Option<Int?>.integer(
    "replay", "K", in: 0...(.max), help: "Make and try only mutant K of the one model.")
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE", accepts: .newFile,
    help: "With --replay: write the mutant to FILE; '-' is standard output.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "fuzz", summary: "Feed damaged models to the engine: it must refuse or run every one.",
    operand: OperandDefinition(
      "MODEL", count: 1...(.max), accepts: .model, help: "a .tflite file to damage"),
    options: [
      mutants.definition, seed.definition, kind.definition, budget.definition, timeLimit.definition,
      jobs.definition, reference.definition, replay.definition, output.definition,
      OutputClaims.force.definition, json.definition,
    ],
    discussion: """
      Every mutant is loaded, planned and run in a worker process: twice, with its signatures, with \
      inputs of other shapes, and with tuned kernels and plain ones. A mutant that kills its process, \
      runs past the time limit, or has other results with other kernels, is a failure; the exit code \
      is then 1, and the report says how to get the mutant again. An error from the engine is the \
      right answer to a damaged file. Behind the memory of tensors lie pages that nobody may touch.

      An eighth of the mutants are prefixes of the model. The others have bits, bytes and words \
      changed, blocks copied, and what the file's structure consists of: offsets, counts, vtable \
      entries, and numbers in tables set to 0, -1, extremes and neighbours. Of graphs, lists of \
      inputs and outputs, options, types, shapes, constants, quantization and variables are changed.

      Mutants of numbers have one number of one table of the schema changed, which the file may have left \
      out: to 0, ±1, the least and the greatest of its type, NaN, infinities; or a list that is empty, one \
      short, one long. The same is done with details of quantization, sparsity, signatures and data in \
      other places added. Their results with '--exact' and '--reference' must be the same bits, for inputs \
      such as NaN and infinities too.
      """,
    examples: [
      .init(
        arguments: "a.tflite b.tflite --mutants 1000000",
        purpose: "A million mutants of two models."),
      .init(
        arguments: "a.tflite --seed 1 --replay 4711 -o crash.tflite",
        purpose: "The file that a report named."),
    ])

  private let paths: [String]
  private let mutantCount: Int?
  private let seedValue: Int
  private let mutationKind: MutationKind
  private let budgetBytes: Int
  private let milliseconds: Int
  private let workerCount: Int
  private let usesReferenceKernels: Bool
  private let replayed: Int?
  private let outputPath: String?
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    mutantCount = try arguments[Self.mutants]
    seedValue = try arguments[Self.seed]
    mutationKind = try arguments[Self.kind] ?? .bytes
    budgetBytes = try arguments[Self.budget] << 20
    milliseconds = try arguments[Self.timeLimit]
    workerCount = try arguments[Self.jobs] ?? ProcessorSet.allowedCount
    usesReferenceKernels = try arguments[Self.reference]
    replayed = try arguments[Self.replay]
    outputPath = try arguments[Self.output]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
    if replayed != nil, paths.count > 1 { throw UsageError("--replay takes one model") }
    if outputPath != nil, replayed == nil { throw UsageError("--output needs --replay") }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: paths, isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    try claims.claimStandardOutput(for: isJSON ? "--json" : nil)
    let context = context.reporting(beside: claims)
    let subjects = try paths.map {
      try FuzzSubject(path: $0, seed: UInt64(seedValue), kind: mutationKind)
    }
    MemoryGuard.isOn = true
    if let replayed { return try replay(replayed, of: subjects[0], in: context) }
    let start = MonotonicTime.now
    let schedule = MutantSchedule(
      singleChangeCounts: subjects.map(\.singleChangeCount), count: mutantCount)
    let outcomes = try outcomes(of: subjects, in: schedule, context)
    let report = FuzzReport(
      subjects: subjects, kind: mutationKind, schedule: schedule, seed: seedValue,
      outcomes: outcomes,
      seconds: start.secondsToNow)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return report.failures.isEmpty ? .success : .failure
  }

  private func outcomes(
    of subjects: [FuzzSubject], in schedule: MutantSchedule, _ context: CommandContext
  ) throws -> IsolatedWork.Outcomes {
    let progress = ProgressLine(in: context)
    defer { progress.clear() }
    var subjects = subjects
    return try work(itemCount: schedule.count, answerSize: 1, on: subjects).run(
      progress: { begun in progress.show("mutant \(begun.grouped) of \(schedule.count.grouped)") },
      item: { item in
        let (subject, mutant) = schedule[item]
        let bytes = subjects[subject].bytes(ofMutant: mutant)
        return [trial(of: subjects[subject]).outcome(of: bytes).outcome.rawValue]
      })
  }

  private func work(
    itemCount: Int, answerSize: Int, on subjects: [FuzzSubject]
  ) -> IsolatedWork {
    // The memory limit covers copies of the model, its parsed records, and the process itself.
    let largest = subjects.map(\.bench.bytes.count).max() ?? 0
    let memory = budgetBytes + 16 * largest + 128 << 20
    return IsolatedWork(
      count: itemCount, workerCount: workerCount, answerSize: answerSize,
      limits: WorkerLimits(secondsPerItem: Double(milliseconds) / 1e3, memory: memory))
  }

  private func trial(of subject: FuzzSubject) -> MutantTrial {
    // The engine's own time limit must end a run well before the process is killed.
    let time = Duration.milliseconds(milliseconds / 16)
    return MutantTrial(
      options: Interpreter.Options(
        budget: RunBudget(bytes: budgetBytes, multiplyAdds: 20_000_000, time: time),
        usesReferenceKernels: usesReferenceKernels),
      externalBufferFolder: mutationKind == .numbers ? subject.path.parentPath : nil,
      comparesExactly: mutationKind == .numbers)
  }
}

extension FuzzCommand {
  /// Makes one mutant, writes it on request, and reports the engine's outcome.
  private func replay(
    _ number: Int, of subject: FuzzSubject, in context: CommandContext
  ) throws -> ExitCode {
    var subject = subject
    let bytes = subject.bytes(ofMutant: number)
    if let outputPath { try context.write(bytes, to: outputPath) }
    let outcomes = try work(itemCount: 1, answerSize: 2000, on: [subject]).run { _ in
      let (outcome, error) = trial(of: subject).outcome(of: bytes)
      return Array((error.map { "\(outcome.name): \($0.message)" } ?? outcome.name).utf8)
    }
    let result: String
    let code: ExitCode
    switch outcomes[0] {
    case .answered(let text):
      result = String(decoding: text, as: UTF8.self)
      code = result.hasPrefix(MutantTrial.Outcome.differed.name) ? .failure : .success
    case .died(let reason): (result, code) = ("crashed: \(reason)", .failure)
    case .timedOut: (result, code) = ("hung for more than \(milliseconds) ms", .failure)
    case .neverRun: (result, code) = ("could not be tried", .failure)
    }
    let change = subject.change(ofMutant: number)
    if isJSON {
      var object = JSONObject(modelAt: subject.path)
      object.append([
        "seed": .integer(seedValue), "mutant": .integer(number),
        "change": .string(change), "result": .string(result), "file": .string(orNull: outputPath),
      ])
      try context.print(.object(object))
    } else {
      try context.print("mutant \(number) of \(subject.path): \(change)")
      try context.print(result)
    }
    return code
  }
}
