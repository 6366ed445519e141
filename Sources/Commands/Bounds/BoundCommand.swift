import OcellusArrays
import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof

/// `ocellus bound`: shows how far the floats of any correct engine may be from each other.
struct BoundCommand: Command {
  private static let through = Option.flag(
    "through",
    help: """
      Let the bounds of each node be the operands of the nodes behind it, so that they hold for whole \
      runs and not for single nodes.
      """)
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR|FILE.npz", accepts: .newFile,
    help: """
      Write the ends of the intervals, as .npy files into DIR or into one file for NumPy: \
      12-conv1.low.npy and 12-conv1.high.npy for tensor 12.
      """)
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work of the run.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "bound", summary: "Bound what any correct engine may compute, node by node.",
    operand: .model,
    options: GivenInputs.definitions + [through.definition] + BoundsOptions.definitions + [
      output.definition, threads.definition,
    ] + EngineOptions.definitionsWithoutTimeLimit + [
      OutputClaims.force.definition, json.definition,
    ],
    discussion: """
      The model is run once. For each number of each result, from the same operands, an interval is \
      computed that contains what any engine gets that adds floats in any order, fuses products with \
      sums or does not, and flushes tiny numbers to zero or not. Sums of n products x·w are within \
      γₙ·Σ|x·w| of the exact sum, where γₙ is about n·2⁻²⁴; other operations are off by a unit in the \
      last place, and functions that engines approximate by --function-units. What only moves numbers \
      is exact.

      Widths are halves of intervals: the widest and the median relative to the largest number of the \
      result, and the median in units in the last place. 'used' tells how far this engine's own numbers \
      are from the middle: 100 % is an end. What is not bounded is listed with the reason; 'ocellus \
      prove' is about nodes that compute in integers.

      The exit code is 1 if this engine's own result is outside, and \(ExitCode.undecided.rawValue) if \
      no node is bounded.
      """,
    examples: [
      .init(
        arguments: "model.tflite --input photo.jpg",
        purpose: "By how much may the layers of two engines differ?"),
      .init(
        arguments: "model.tflite --through --factors bfloat16",
        purpose: "What may be left of the outputs on an accelerator that rounds factors?"),
    ])

  private let modelPath: String
  private let inputs: GivenInputs
  private let scope: BoundsRun.Scope
  private let arithmetic: BoundsArithmetic
  private let options: Interpreter.Options
  private let outputPath: String?
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    inputs = try GivenInputs(arguments)
    scope = try arguments[Self.through] ? .network : .nodes
    var options = try EngineOptions.read(
      arguments, threads: try arguments[Self.threads], time: nil)
    arithmetic = try BoundsOptions.read(arguments, for: options.numerics)
    options.runsNodesSeparately = true
    self.options = options
    outputPath = try arguments[Self.output]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath] + inputs.paths, isForced: isForced)
    // A directory is a valid destination too, but `claim` accepts files only.
    if let outputPath, outputPath.hasSuffix(".npz") {
      try claims.claim(outputPath, for: "--output")
    }
    let path = try StoredModelNames.required(modelPath)
    let model = try Model(path: path)
    let interpreter = try Interpreter(model, options: options)
    try inputs.set(in: interpreter.main, of: model)
    var report = BoundsReport(model: path, scope: scope, arithmetic: arithmetic)
    let store = try outputPath.map { try TensorStore(path: $0) }
    let progress = ProgressLine(in: context)
    let run = BoundsRun(of: model, arithmetic, scope, keep: store?.keep) { node in
      report.nodes.append(node)
      progress.show("\(report.nodes.count) nodes")
    }
    interpreter.observer = run
    try interpreter.run()
    progress.clear()
    try run.check()
    try store?.close()
    if isJSON { try context.print(report.json) } else { try context.write(report.text) }
    if report.firstOutside != nil { return .failure }
    return report.nodes.isEmpty || report.boundedCount > 0 ? .success : .undecided
  }
}

extension TensorStore {
  /// Stores both ends of a result's intervals.
  fileprivate func keep(_ file: TensorFileName, _ bounds: BoundedTensor) throws {
    for (end, tensor) in [("low", bounds.low), ("high", bounds.high)] {
      let array = try NPYArray(
        of: tensor.type, shape: tensor.shape.dimensions, bytes: tensor.bytes)
      try write(array.file, named: "\(file.stem).\(end).npy")
    }
  }
}
