import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// `ocellus diff`: shows where two executions diverge.
struct DiffCommand: Command {
  private static let model = Option<String?>.text(
    "model", letter: "m", "MODEL", accepts: .model,
    help: "The model that the kept tensors belong to, if neither side is a model.")
  private static let minimum = Option<Double?>.number(
    "min-sqnr", "DB", in: -1000...1000,
    help: """
      Call a node different only where its results have a lower ratio of signal to noise, in \
      decibels. Default: any bit for one model, nothing for two.
      """)
  private static let all = Option.flag("all", help: "List nodes without a difference too.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "diff", summary: "Find where two executions diverge, node by node.",
    operand: OperandDefinition(
      "SIDE", count: 2...2, accepts: .model,
      help: "a .tflite file, perhaps with @WAY behind it; or a trace or dump of tensors"),
    options: GivenInputs.definitions + [
      model.definition, minimum.definition, all.definition, threads.definition,
    ] + EngineOptions.definitions + [json.definition],
    discussion: """
      Ways are fast, exact, reference, blas and the instruction sets of 'ocellus cpu', several with \
      commas: model.tflite@exact,avx2. A second side that begins with @ is the first one's model.

      Kept tensors are a directory or an .npz file: what 'trace' wrote, or arrays that are named like \
      the tensors, as Benchmarks/peers/dump_litert.py makes them with the official runtime. If they \
      hold the model's inputs, the model is run on those.

      Two models are aligned by operators, order and names; quantized numbers are compared by \
      the real numbers that they represent. If operands differ, the second side's node is \
      recomputed from the first side's operands: a difference that remains is born in the node, \
      the rest is inherited.

      The exit code is 1 if a node is different.
      """,
    examples: [
      .init(
        arguments: "model.tflite@fast @exact",
        purpose: "What do the fast kernels change in the last bits?"),
      .init(
        arguments: "float.tflite int8.tflite --input photo.jpg",
        purpose: "Which layers suffer most from being quantized?"),
      .init(
        arguments: "model.tflite dump.npz", purpose: "Is it what another runtime computes?"),
    ])

  private let first: ComparedSide
  private let second: ComparedSide
  private let inputs: GivenInputs
  private let modelPath: String?
  private let minimum: Double?
  private let showsAll: Bool
  private let options: Interpreter.Options
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    first = try ComparedSide(arguments.operands[0])
    second = try ComparedSide(arguments.operands[1])
    inputs = try GivenInputs(arguments)
    modelPath = try arguments[Self.model]
    minimum = try arguments[Self.minimum]
    showsAll = try arguments[Self.all]
    options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    isJSON = try arguments[Self.json]
    if first.path.isEmpty { throw UsageError("the first side has to name a file") }
    if second.path.isEmpty, !first.isModel {
      throw UsageError("the second side has to name a file, since the first is no model")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let archives = try [first, second].map { side in
      side.isModel ? nil : try TensorArchive(path: side.path)
    }
    let a = try stream(first, archives[0], shownTo: archives[1].map { .kept($0) })
    let b = try stream(second, archives[1], shownTo: shown(to: a, archives[0]))
    let comparison = try RunComparison(a, b)
    var report = ComparisonReport(
      first: a.title, second: b.title, isSameModel: comparison.isSameModel, minimum: minimum)
    let progress = ProgressLine(in: context)
    try comparison.run { layer in
      report.layers.append(layer)
      progress.show("\(report.layers.count) of \(comparison.alignment.pairs.count) nodes")
    }
    progress.clear()
    guard !report.layers.isEmpty else {
      throw AuditError("no tensor is on both sides, so that nothing was compared")
    }
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text(all: showsAll))
    }
    return report.firstDivergent == nil ? .success : .failure
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
    _ side: ComparedSide, _ archive: TensorArchive?, shownTo other: Shown?
  ) throws -> any TensorStream {
    let path = path(of: side)
    let model = try path.map { try Model(path: $0) }
    if let archive { return try StoredTensorStream(archive, model: model) }
    guard let model, let path else { throw AuditError("\(side.path) is no model") }
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
