import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// `ocellus inspect`: describes a model.
struct InspectCommand: Command {
  private static let nodes = Option.flag("ops", help: "List every operator of every subgraph.")
  private static let tensors = Option.flag("tensors", help: "List every tensor of every subgraph.")
  private static let plan = Option.flag(
    "plan", help: "Show the plan: what runs each node, what was left out and why, and memory.")
  private static let numerics = NumericsOptions.choice(
    help: """
      Show the kernels and the plan of a run with these numerics; for 'litert', show instead which \
      nodes LiteRT delegates, and why some bits are not imitated.
      """)
  private static let json = Option.flag("json", help: "Print one JSON object instead of text.")

  static let definition = CommandDefinition(
    name: "inspect", summary: "Show what a model is: inputs, outputs, operators, weights, memory.",
    operand: .model,
    options: [
      nodes.definition, tensors.definition, plan.definition, numerics.definition,
    ] + TuningOptions.definitions + [json.definition],
    discussion: """
      Multiply-adds and memory are those of the main subgraph's plan with the shapes in the file. \
      All reasons that keep a model from running are listed, not only the first. The exit code is \
      0 if the file can be read, even where it needs something that is not supported.
      """,
    examples: [
      .init(arguments: "model.tflite", purpose: "The page for a person."),
      .init(arguments: "model.tflite --ops", purpose: "Which kernel runs which operator."),
      .init(
        arguments: "model.tflite --ops --numerics bfloat16",
        purpose: "Which layers would multiply bfloat16 numbers."),
      .init(
        arguments: "model.tflite --plan",
        purpose: "Which nodes were folded and fused, and where tensors are in memory."),
    ])

  private let modelPath: String
  private let details: ModelReport.Details
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    var details = ModelReport.Details(
      showsNodes: try arguments[Self.nodes], showsTensors: try arguments[Self.tensors],
      showsPlan: try arguments[Self.plan], tuning: try TuningOptions.read(arguments))
    switch try arguments[Self.numerics] {
    case .litert(let processor): details.liteRTProcessor = processor
    case let numerics: details.numerics = numerics ?? .fast
    }
    self.details = details
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let report = try ModelReport(path: modelPath, details: details)
    if isJSON {
      try context.print(report.json)
    } else {
      try context.write(report.text)
    }
    return .success
  }
}
