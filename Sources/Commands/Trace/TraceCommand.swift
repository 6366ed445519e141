import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// `ocellus trace`: shows every tensor between the operators.
struct TraceCommand: Command {
  private static let level = Option<TraceLevel?>.choice(
    "level", "LEVEL", of: TraceLevel.allCases.map { ($0.rawValue, $0) },
    help: """
      What to report about each tensor: shapes; stats, its statistics; digest, to see where two \
      runs diverge; full, both of these and the tensor itself. Default: stats, or full with --output.
      """)
  private static let select = Option<[String]>.texts(
    "select", "OP|TENSOR|RANGE",
    help: """
      Only nodes of this operator, the one that makes the tensor of this name, the node of this \
      number, or nodes such as 3..9. May be repeated.
      """)
  private static let asRun = Option.flag(
    "as-run",
    help: """
      Keep the plan as it runs without tracing; tensors that it passes on in slices are then invisible.
      """)
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR|FILE.npz", accepts: .newFile,
    help: "Write trace.json and the tensors, as .npy files into DIR or into one file for NumPy.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of a table.")

  static let definition = CommandDefinition(
    name: "trace", summary: "Show the tensors between a model's operators.",
    operand: OperandDefinition("MODEL", accepts: .model, help: "a .tflite file, or a pulled model"),
    options: GivenInputs.definitions + [
      level.definition, select.definition, asRun.definition, output.definition,
      threads.definition,
    ] + EngineOptions.definitions + [OutputClaims.force.definition, json.definition],
    discussion: """
      Every node of the file comes once, in its order, whatever the plan made of it. Looking at \
      tensors does not change a bit of them; it takes the memory of the largest, not of all. Nodes of \
      subgraphs that are called come as often as they run.

      Pictures are brought to the model as 'detect' does, and inputs without a file get the numbers \
      of 'run'.
      """,
    examples: [
      .init(
        arguments: "model.tflite --input photo.jpg",
        purpose: "Where do numbers saturate, or stop being any?"),
      .init(
        arguments: "model.tflite --input photo.jpg -o tensors.npz",
        purpose: "Every tensor, for numpy.load."),
      .init(
        arguments: "model.tflite --select CONV_2D --level digest --json",
        purpose: "Digests of some nodes, for a program."),
    ])

  private let modelPath: String
  private let inputs: GivenInputs
  private let level: TraceLevel
  private let selection: TraceSelection
  private let outputPath: String?
  private let options: Interpreter.Options
  private let isJSON: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    inputs = try GivenInputs(arguments)
    outputPath = try arguments[Self.output]
    level = try arguments[Self.level] ?? (outputPath == nil ? .stats : .full)
    do { selection = try TraceSelection(try arguments[Self.select]) } catch let error as AuditError
    {
      throw UsageError("--select: \(error)")
    } catch {
      throw UsageError("--select: \(error)")
    }
    var options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    options.runsNodesSeparately = !(try arguments[Self.asRun])
    self.options = options
    isJSON = try arguments[Self.json]
    isForced = try arguments[OutputClaims.force]
    guard level != .full || outputPath != nil else {
      throw UsageError("--level full keeps tensors; say where with --output")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath] + inputs.paths, isForced: isForced)
    // A directory is a valid destination too, but `claim` accepts files only.
    if let outputPath, outputPath.hasSuffix(".npz") {
      try claims.claim(outputPath, for: "--output")
    }
    let model = try Model(path: modelPath)
    let interpreter = try Interpreter(model, options: options)
    try inputs.set(in: interpreter.main, of: model)
    let store = try outputPath.map { try TensorStore(path: $0) }
    var trace = Trace(.init(interpreter, model: modelPath, level: level))
    let progress = ProgressLine(in: context)
    let tracer = Tracer(level: level, selection: selection, keep: store?.keep) { event in
      trace.add(event)
      progress.show("\(trace.nodes.count) nodes")
    }
    interpreter.observer = tracer
    try interpreter.run()
    progress.clear()
    try tracer.check()
    trace.memoryByteCount = interpreter.memoryInUse
    guard !trace.nodes.isEmpty || model.nodeCount == 0 else {
      throw AuditError("no node is selected; 'ocellus inspect --ops' lists them")
    }
    try store?.write(Array((trace.json.text + "\n").utf8), named: TensorArchive.traceName)
    try store?.close()
    if isJSON {
      try context.print(trace.json)
    } else {
      try context.write(trace.text)
      if let outputPath { try context.print("written to \(outputPath)") }
    }
    return .success
  }
}
