import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus audit`: everything about an execution on one page.
struct AuditCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE.html", accepts: .newFile, help: "The page to write.")
  private static let against = Option<String?>.text(
    "against", "SIDE", accepts: .model,
    help: """
      What layers are compared with, as 'diff' takes it: a way such as @exact, another model, a trace \
      or a dump. Default: @reference.
      """)
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag(
    "json", help: "Print the page's contents as one JSON object.")

  static let definition = CommandDefinition(
    name: "audit", summary: "Report what a model computed, as a page to read.",
    operand: OperandDefinition(
      "MODEL [IMAGE...]", count: 1...Int.max, accepts: .model,
      help: "a .tflite file, and pictures"),
    options: ShownInputs.definitions + [output.definition, against.definition, threads.definition]
      + EngineOptions.definitions + [OutputClaims.force.definition, json.definition],
    discussion: """
      The page needs no network and no other file: findings, the pictures with what was found in them \
      and why the rest was dropped, the graph, every layer with its numbers, options and channels, \
      quantization, and the receipt. Layers are those of the first picture, or of the inputs of \
      'trace'.
      """,
    examples: [
      .init(
        arguments: "detector.tflite photo.jpg -o report.html", purpose: "A page about a detection."),
      .init(
        arguments: "int8.tflite photo.jpg --against float.tflite -o report.html",
        purpose: "What quantization did to each layer."),
    ])

  private let modelPath: String
  private let picturePaths: [String]
  private let inputs: ShownInputs
  private let pictures: PictureOptions
  private let outputPath: String?
  private let against: ComparedSide
  private let options: Interpreter.Options
  private let isJSON: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    picturePaths = Array(arguments.operands.dropFirst())
    let given = try ShownInputs(arguments)
    inputs = picturePaths.first.map { given.adding($0) } ?? given
    pictures = try PictureOptions(arguments)
    outputPath = try arguments[Self.output]
    against = try ComparedSide(try arguments[Self.against] ?? "@reference")
    var options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    options.keepsNodesApart = true
    self.options = options
    isJSON = try arguments[Self.json]
    isForced = try arguments[OutputClaims.force]
    if outputPath == nil, !isJSON { throw UsageError("say where the page goes: -o report.html") }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath] + inputs.paths, isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    let context = context.reporting(beside: claims)
    let model = try Model(path: modelPath)
    let progress = ProgressLine(in: context)
    progress.show("tracing")
    let (trace, maps) = try trace(model)
    progress.show("receipt")
    var report = AuditReport(model, trace: trace, receipt: try receipt(model))
    report.featureMaps = maps
    report.comparison = try compare(model) { progress.show("comparing node \($0)") }
    for path in picturePaths {
      progress.show(path)
      report.pictures.append(try AuditedPicture(path, options: pictures, model: model).picture)
    }
    progress.clear()
    let contents = try report.json()
    if let outputPath {
      try context.write(Array(ReportPage(contents).html.utf8), to: outputPath)
    }
    if isJSON {
      try context.print(contents)
    } else {
      for finding in report.findings {
        try context.print("\(finding.weight.rawValue): \(finding.text)")
      }
      try context.print("in \(outputPath ?? "")")
    }
    return .success
  }

  private func interpreter(_ model: Model) throws -> (Interpreter, [ShownInputs.Picture]) {
    let interpreter = try Interpreter(model, options: options)
    return (interpreter, try inputs.set(in: interpreter.main, of: model))
  }

  /// What there is to see of every tensor, and the first results of nodes as pictures.
  private func trace(_ model: Model) throws -> (Trace, [Int: [UInt8]]) {
    let (interpreter, _) = try interpreter(model)
    var trace = Trace(.init(interpreter, model: modelPath, level: .full))
    var maps: [Int: [UInt8]] = [:]
    let makers = ModelOutline(of: model).nodes.reduce(into: [Int: Int]()) { makers, node in
      if let first = node.outputs.first { makers[first] = node.index }
    }
    let tracer = Tracer(
      level: .full,
      keep: { tensor, subgraph, _, bytes in
        if subgraph == 0, let node = makers[tensor.index] {
          maps[node] = FeatureMap.png(of: tensor, bytes)
        }
        return nil
      }, report: { trace.add($0) })
    interpreter.observer = tracer
    try interpreter.run()
    try tracer.check()
    trace.memoryByteCount = interpreter.memoryInUse
    return (trace, maps)
  }

  private func receipt(_ model: Model) throws -> Receipt {
    let (interpreter, pictures) = try interpreter(model)
    var receipt = try ReceiptMaker().receipt(of: interpreter)
    receipt.setting.version = Program.version
    receipt.pictureHashes = pictures.map(\.hash)
    receipt.preparations = pictures.flatMap(\.preparations)
    return receipt
  }

  private func compare(
    _ model: Model, progress: (Int) -> Void
  ) throws -> (title: String, layers: [LayerComparison], isSameModel: Bool) {
    let (interpreter, _) = try interpreter(model)
    let first = LiveStream(interpreter, title: modelPath)
    let second: any TensorStream
    if against.isModel {
      let other = against.path.isEmpty ? model : try Model(path: against.path)
      let interpreter = try Interpreter(other, options: against.options(options))
      try interpreter.main.setInputs(to: first.inputs())
      second = LiveStream(interpreter, title: against.title(orPath: modelPath))
    } else {
      second = try KeptStream(TensorArchive(path: against.path), model: model)
    }
    var layers: [LayerComparison] = []
    let comparison = try RunComparison(first, second)
    try comparison.run { layer in
      layers.append(layer)
      progress(layer.firstNode)
    }
    return (second.title, layers, comparison.isSameModel)
  }
}
