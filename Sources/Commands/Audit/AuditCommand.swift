import OcellusAudit
import OcellusEngine
import OcellusImaging
import OcellusJSON
import OcellusPlatform
import OcellusVision

/// `ocellus audit`: a report about one execution as one page.
struct AuditCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE.html", accepts: .newFile, help: "The page to write.")
  private static let against = Option<String?>.text(
    "against", "SIDE", accepts: .model,
    help: """
      What layers are compared with, as 'diff' takes it: a way such as @exact, another model, a trace \
      or a dump. It is the signal in ratios of signal to noise. Default: @reference.
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
    options: GivenInputs.definitions + [output.definition, against.definition, threads.definition]
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
  private let inputs: GivenInputs
  private let pictures: PictureOptions
  private let outputPath: String?
  private let against: ComparedSide
  private let options: Interpreter.Options
  private let isJSON: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    picturePaths = Array(arguments.operands.dropFirst())
    let given = try GivenInputs(arguments)
    inputs = picturePaths.first.map { given.adding($0) } ?? given
    pictures = try PictureOptions(arguments)
    outputPath = try arguments[Self.output]
    against = try ComparedSide(try arguments[Self.against] ?? "@reference")
    var options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    options.runsNodesSeparately = true
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
    var shown: [GivenInputs.Picture] = []
    let runs = AuditRuns(of: modelPath) {
      let interpreter = try Interpreter(model, options: options)
      shown = try inputs.set(in: interpreter.main, of: model)
      return interpreter
    }
    let (trace, maps) = try trace(model, runs)
    progress.show("receipt")
    var report = AuditReport(model, trace: trace, receipt: try runs.receipt())
    report.receipt.setting.version = Program.version
    report.receipt.pictureHashes = shown.map(\.hash)
    report.receipt.preparations = shown.flatMap(\.preparations)
    report.featureMaps = maps
    report.comparison = try compare(model, runs) { progress.show("comparing node \($0)") }
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

  /// Traces all tensors and makes pictures of the nodes' first results.
  private func trace(_ model: Model, _ runs: AuditRuns) throws -> (Trace, [Int: [UInt8]]) {
    var maps: [Int: [UInt8]] = [:]
    let makers = ModelOutline(of: model).nodes.reduce(into: [Int: Int]()) { makers, node in
      if let first = node.outputs.first { makers[first] = node.index }
    }
    let trace = try runs.trace { tensor, subgraph, bytes in
      if subgraph == 0, let node = makers[tensor.index] {
        maps[node] = FeatureMap.png(of: tensor, bytes)
      }
    }
    return (trace, maps)
  }

  private func compare(
    _ model: Model, _ runs: AuditRuns, progress: (Int) -> Void
  ) throws -> AuditReport.Comparison {
    guard against.isModel else {
      return try runs.comparison(
        with: { _ in try StoredTensorStream(TensorArchive(path: against.path), model: model) },
        progress: progress)
    }
    return try runs.comparison(
      withRunOf: against.path.isEmpty ? model : try Model(path: against.path),
      options: against.options(options), title: against.title(orPath: modelPath),
      progress: progress)
  }
}
