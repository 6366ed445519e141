import OcellusEngine
import OcellusJSON
import OcellusModelFile
import OcellusPlatform
import OcellusProof

/// `ocellus hunt`: draws graphs until two engines disagree, and reduces what it finds.
struct HuntCommand: Command {
  private static let against = Option<String?>.text(
    "against", "reference|COMMAND",
    help: """
      The other engine: this one's reference kernels, or a command line that gets three paths: a \
      model, its inputs (.npz, named as 'trace' names tensors), and the results to write in the same \
      way. Benchmarks/peers has such commands for LiteRT and OpenVINO. A model that it refuses is one \
      with which it exits with another code than 0.
      """)
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR", accepts: .newFolder,
    help: """
      The folder for hunt.json, which is what --json prints, for the smallest model of each find, and \
      while the hunt lasts for the files that engines exchange.
      """)
  private static let graphs = Option<Int>.integer(
    "graphs", "N", in: 1...1_000_000_000, default: 100, help: "Graphs to try.")
  private static let nodes = Option<Int>.integer(
    "nodes", "N", in: 1...200, default: 12, help: "Nodes of each graph.")
  private static let seed = Option<Int>.integer(
    "seed", "S", in: 0...(.max), default: 1,
    help: "Another seed draws other graphs; the same one draws the same.")
  private static let limit = Option<Int>.integer(
    "limit", "SECONDS", in: 1...(.max >> 32), default: 3600,
    help: "Time after which no further graph is tried, and nothing is reduced further.")
  private static let runLimit = Option<Int>.integer(
    "run-limit", "SECONDS", in: 1...86_400, default: 60,
    help: "Time after which a run of the command is killed, and counts as hanging.")
  private static let json = Option.flag("json", help: "Print one JSON object.")

  static let definition = CommandDefinition(
    name: "hunt", summary: "Draw graphs until two engines disagree beyond bounds.",
    operand: OperandDefinition(
      "MODEL", count: 0...(.max), accepts: .model,
      help: "models whose graphs are changed, in turns with drawn graphs"),
    options: [
      against.definition, output.definition, graphs.definition, nodes.definition, seed.definition,
    ] + BoundsOptions.definitions + [limit.definition, runLimit.definition, json.definition],
    discussion: """
      Graphs of float operators are drawn from a seed, with the sizes, strides and options that \
      networks have and those at the edges. Both engines compute each graph on the same inputs, and \
      each of their nodes is judged by 'ocellus bound', from the operands that the engine itself \
      had. What is outside, crashes or hangs is reduced to the smallest model that still does, once \
      for each engine and operator.

      The exit code is 1 if anything is found.
      """,
    examples: [
      .init(
        arguments: "--against reference -o found --graphs 1000",
        purpose: "Are tuned and reference kernels both within bounds?"),
      .init(
        arguments: "--against 'python3 Benchmarks/peers/run_litert.py' -o found --limit 600",
        purpose: "What does LiteRT compute wrongly?"),
    ])

  private let modelPaths: [String]
  private let peer: HuntPeer
  private let folder: String
  private let graphCount: Int
  private let nodeCount: Int
  private let seedValue: Int
  private let arithmetic: BoundsArithmetic
  private let seconds: Int
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPaths = arguments.operands
    guard let against = try arguments[Self.against], !against.isEmpty else {
      throw UsageError("say which engine to compare with: --against reference, or a command")
    }
    guard let output = try arguments[Self.output], output != "-" else {
      throw UsageError("say where finds go, with --output DIR")
    }
    let runLimit = try arguments[Self.runLimit]
    peer = against == "reference" ? .reference : .command(against, seconds: Double(runLimit))
    folder = output
    graphCount = try arguments[Self.graphs]
    nodeCount = try arguments[Self.nodes]
    seedValue = try arguments[Self.seed]
    arithmetic = try BoundsOptions.read(arguments)
    seconds = try arguments[Self.limit]
    isJSON = try arguments[Self.json]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try FileSystem.createDirectory(folder)
    let mutators = try modelPaths.map { path in
      guard let mutator = GraphMutator(original: try FileSystem.read(path), seed: UInt64(seedValue))
      else { throw RunError("\(path) is no model") }
      return mutator
    }
    var hunt = Hunt(peer: peer, folder: folder, arithmetic: arithmetic, seconds: Double(seconds))
    defer { hunt.removeFiles() }
    let progress = ProgressLine(in: context)
    for number in 0..<graphCount where !hunt.isOutOfTime {
      progress.show("graph \(number + 1) of \(graphCount), \(hunt.finds.count) finds")
      let seed = UInt64(seedValue) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number)
      if mutators.isEmpty || number.isMultiple(of: 2) {
        var drawer = GraphDrawer(seed: seed)
        try hunt.examine(drawer.model(nodeCount: nodeCount).bytes(), graph: number, seed: seed)
      } else {
        let mutator = mutators[number / 2 % mutators.count]
        try hunt.examine(mutator.mutant(number).bytes, graph: number, seed: seed)
      }
    }
    progress.clear()
    try context.write(Array((hunt.json.text + "\n").utf8), to: folder + "/hunt.json")
    if isJSON { try context.print(hunt.json) } else { try context.write(hunt.text) }
    return hunt.finds.isEmpty ? .success : .failure
  }
}
