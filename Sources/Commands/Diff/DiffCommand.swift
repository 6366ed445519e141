import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProof

/// `ocellus diff`: shows where two models, or two executions, differ.
struct DiffCommand: Command {
  private static let model = Option<String?>.text(
    "model", letter: "m", "MODEL", accepts: .model,
    help: "The model that the kept tensors belong to, if neither side is a model.")
  private static let minimum = Option<Double?>.number(
    "min-sqnr", "DB", in: -1000...1000,
    help: """
      Call a node different only where its results have a lower ratio of signal to noise, in \
      decibels; the first side is the signal. Default: any bit for the same graph, nothing for two.
      """)
  private static let withinBounds = Option.flag(
    "within-bounds",
    help: """
      Judge tensors that another runtime computed: each node's results must be what an engine may \
      compute, in any order, from the operands that the runtime itself had. Nothing is run.
      """)
  private static let noRun = Option.flag(
    "no-run", help: "Compare the files of two models only, and run nothing.")
  private static let all = Option.flag(
    "all", help: "List every difference, and nodes without one too.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "diff", summary: "Find where two models or executions differ, node by node.",
    operand: OperandDefinition(
      "SIDE", count: 2...2, accepts: .model,
      help: "a .tflite file, perhaps with @WAY behind it; or a trace or dump of tensors"),
    options: GivenInputs.definitions + [
      model.definition, minimum.definition, withinBounds.definition,
    ] + BoundsOptions.definitions + [
      noRun.definition, all.definition, threads.definition,
    ] + EngineOptions.definitions + [json.definition],
    discussion: """
      Ways are fast, exact, reference, blas and the instruction sets of 'ocellus cpu', several with \
      commas: model.tflite@exact,avx2. A second side that begins with @ is the first one's model.

      Kept tensors are a directory or an .npz file: what 'trace' wrote, or arrays that are named like \
      the tensors, as Benchmarks/peers/dump_litert.py makes them with the official runtime. If they \
      hold the model's inputs, the model is run on those.

      The files of two models are compared before they run: constants, options, quantization, types \
      and shapes. Whatever no input reaches is seen there only. Names and metadata do not count.

      Two graphs are aligned by operators, order and names; quantized numbers are compared by \
      the real numbers that they represent. If operands differ, the second side's node is \
      recomputed from the first side's operands: a difference that remains is born in the node, \
      the rest is inherited. SQNR is the power of the first side's numbers over that of the \
      difference, in decibels, so the reference comes first.

      With --within-bounds, floats need not be the same bits: 'ocellus bound' explains which are \
      accepted. The exit code is 1 if a node is outside of its bounds, which is named, and \
      \(ExitCode.undecided.rawValue) if all are inside that have bounds, but some have none.

      The exit code is 1 if a node is different; without --min-sqnr also if two models of the same \
      graph differ in their files; with --no-run if any two models do.
      """,
    examples: [
      .init(
        arguments: "model.tflite@fast @exact",
        purpose: "What do the fast kernels change in the last bits?"),
      .init(
        arguments: "float.tflite int8.tflite --input photo.jpg",
        purpose: "Which layers suffer most from being quantized?"),
      .init(
        arguments: "old.tflite new.tflite --no-run",
        purpose: "Which weights, options or scales have changed?"),
      .init(
        arguments: "model.tflite dump.npz", purpose: "Is it what another runtime computes?"),
      .init(
        arguments: "model.tflite dump.npz --within-bounds",
        purpose: "May another runtime compute that?"),
    ])

  private let first: ComparedSide
  private let second: ComparedSide
  private let inputs: GivenInputs
  private let modelPath: String?
  private let minimum: Double?
  /// How precisely another runtime must compute; `nil` to compare two sides.
  private let judged: BoundsArithmetic?
  private let runs: Bool
  private let showsAll: Bool
  private let options: Interpreter.Options
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    first = try ComparedSide(arguments.operands[0])
    second = try ComparedSide(arguments.operands[1])
    inputs = try GivenInputs(arguments)
    modelPath = try arguments[Self.model]
    minimum = try arguments[Self.minimum]
    judged = try arguments[Self.withinBounds] ? BoundsOptions.read(arguments) : nil
    runs = !(try arguments[Self.noRun])
    showsAll = try arguments[Self.all]
    options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    isJSON = try arguments[Self.json]
    if first.path.isEmpty { throw UsageError("the first side has to name a file") }
    if second.path.isEmpty, !first.isModel {
      throw UsageError("the second side has to name a file, since the first is no model")
    }
    if !runs, !first.isModel || !second.isModel {
      throw UsageError("--no-run compares two models, and tensors were computed by running one")
    }
    if judged == nil, try BoundsOptions.areGiven(arguments) {
      throw UsageError("--factors and --function-units are about bounds: add --within-bounds")
    }
    if judged != nil {
      guard first.isModel != second.isModel || modelPath != nil && !first.isModel else {
        throw UsageError(
          "--within-bounds judges the kept tensors of one side by the model of the other")
      }
      if minimum != nil || !runs || !inputs.isEmpty {
        throw UsageError("--within-bounds goes without --min-sqnr, --no-run and --input")
      }
    }
    if !runs, minimum != nil { throw UsageError("--min-sqnr is about runs, and --no-run has none") }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    if let judged { return try judge(by: judged, in: context) }
    let files = try [first, second].map { try file(of: $0) }
    let titles = [first, second].map { $0.isModel ? $0.title(orPath: first.path) : $0.path }
    var report = ComparisonReport(
      first: titles[0], second: titles[1], models: try compare(files), minimum: minimum)
    if !isJSON, let text = modelText(report) { try context.write(text) }
    if runs { try compareRuns(of: files, &report, context) }
    if isJSON {
      try context.print(report.json)
    } else if runs {
      try context.write(report.text(all: showsAll))
    }
    return report.isDifferent ? .failure : .success
  }

  /// Judges the side that is kept, the second one if both are.
  private func judge(
    by arithmetic: BoundsArithmetic, in context: CommandContext
  ) throws -> ExitCode {
    let side = second.isModel ? first : second
    guard let model = path(of: side) else { throw AuditError("\(side.path) belongs to no model") }
    var check = BoundsCheck(model: model, tensors: side.path, arithmetic)
    try check.run(ProgressLine(in: context))
    if isJSON {
      try context.print(check.json)
    } else {
      try context.write(check.text(all: showsAll))
    }
    return check.exitCode
  }

  // MARK: Files

  /// Reads the model that a side runs or whose tensors it has; `nil` if it is not known.
  private func file(of side: ComparedSide) throws -> ModelFile? {
    guard let path = path(of: side) else { return nil }
    do throws(ModelFileError) { return try ModelFile(path: path) } catch {
      throw ModelError(error)
    }
  }

  private func compare(_ files: [ModelFile?]) throws -> ModelComparison? {
    guard first.isModel, second.isModel, let a = files[0], let b = files[1] else { return nil }
    return try ModelComparison(a, b)
  }

  /// Returns the comparison of the files as text, unless both sides are ways to run one file.
  private func modelText(_ report: ComparisonReport) -> String? {
    guard let models = report.models, !runs || path(of: first) != path(of: second) else {
      return nil
    }
    return "\(report.first) and \(report.second), the files: ".printableInLine
      + models.text(all: showsAll) + (runs ? "\n" : "")
  }

  // MARK: Runs

  private func compareRuns(
    of files: [ModelFile?], _ report: inout ComparisonReport, _ context: CommandContext
  ) throws {
    let archives = try [first, second].map { side in
      side.isModel ? nil : try TensorArchive(path: side.path)
    }
    let a = try stream(first, files[0], archives[0], shownTo: archives[1].map { .kept($0) })
    let b = try stream(second, files[1], archives[1], shownTo: shown(to: a, archives[0]))
    let comparison = try RunComparison(a, b)
    report.hasSameGraph = comparison.hasSameGraph
    report.isOfDifferentFiles = report.models == nil && comparison.isOfDifferentFiles
    let progress = ProgressLine(in: context)
    try comparison.run { layer in
      report.layers.append(layer)
      progress.show("\(report.layers.count) of \(comparison.alignment.pairs.count) nodes")
    }
    progress.clear()
    guard !report.layers.isEmpty else {
      throw AuditError("no tensor is on both sides, so that nothing was compared")
    }
  }

  /// Returns the path of the model that a side's tensors belong to.
  private func path(of side: ComparedSide) -> String? {
    if side.isModel { return side.path.isEmpty ? first.path : side.path }
    if let modelPath { return modelPath }
    return [first, second].first { $0.isModel && !$0.path.isEmpty }?.path
  }

  /// The inputs of a side that runs, taken from the other side.
  private enum Shown {
    case kept(TensorArchive)
    case live([StoredTensor])
  }

  private func shown(to side: any TensorStream, _ archive: TensorArchive?) throws -> Shown? {
    if let archive { return .kept(archive) }
    guard let side = side as? LiveStream else { return nil }
    return .live(try side.inputs())
  }

  private func stream(
    _ side: ComparedSide, _ file: ModelFile?, _ archive: TensorArchive?, shownTo other: Shown?
  ) throws -> any TensorStream {
    let model = try file.map { try Model($0) }
    if let archive { return try StoredTensorStream(archive, model: model) }
    guard let model, let path = path(of: side) else { throw AuditError("\(side.path) is no model") }
    let interpreter = try Interpreter(model, options: side.options(options))
    switch other {
    case .live(let tensors): try interpreter.main.setInputs(to: tensors)
    case .kept(let archive) where inputs.isEmpty:
      try inputs.set(in: interpreter.main, of: model)
      try archive.setInputs(of: interpreter.main)
    case .kept, nil: try inputs.set(in: interpreter.main, of: model)
    }
    return LiveStream(interpreter, title: side.title(orPath: path))
  }
}

extension TensorArchive {
  /// Sets a model's inputs to those in the archive.
  fileprivate func setInputs(of entry: EntryPoint) throws {
    for (index, input) in entry.inputs.enumerated() {
      let kept = try tensor(
        input.tensorIndex, name: input.name, type: input.type, quantization: nil)
      guard let kept else { continue }
      try entry.setInput(at: index, to: kept)
    }
  }
}
