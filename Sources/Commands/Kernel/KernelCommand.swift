import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProfile

/// `ocellus kernel`: examines single nodes and all kernels that can compute them.
struct KernelCommand: Command {
  private static let from = Option<String?>.text(
    "from", "MODEL#NODE", accepts: .model,
    help: "The node of a model to time, on the data that it has there.")
  private static let shape = Option<[String]>.list(
    "shape", "SHAPE",
    help: """
      The operands of the operator, with commas: 1x40x40x32 is a tensor of that shape, =1x2 the \
      numbers themselves. The second one of products is made of weights.
      """)
  private static let option = Option<[String]>.list(
    "option", "NAME=VALUE",
    help: """
      Options of the operator by the schema's names, such as padding=valid,stride_w=2. Default: no \
      padding beyond 'same', strides of 1.
      """)
  private static let type = Option<[String]>.list(
    "type", "TYPE", accepts: .words(KernelRequest.types.map(\.word)),
    help: "The type of the operands; each of several. Default: float32; of --shapes int8 as well.")
  private static let weights = Option<ElementType?>.choice(
    "weights", "TYPE", of: KernelRequest.types, help: "The type of the weights.")
  private static let result = Option<ElementType?>.choice(
    "result", "TYPE", of: KernelRequest.types, help: "The type of the result.")
  private static let shapes = Option<String?>.text(
    "shapes", "FILE", accepts: .file,
    help: "Time all nodes of a file such as those in Benchmarks/Shapes, one on a line.")
  private static let output = Option<String?>.text(
    "output", letter: "o", "DIR", accepts: .newFolder,
    help: "Where extracted nodes go: for each a .tflite file, and a case that 'verify' runs.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let assertion = Option<Double?>.number(
    "assert", "PERCENT", in: 0...10_000,
    help: """
      Exit with 1 if the strategy that a plan chooses takes this many percent longer than the \
      fastest of its instruction set.
      """)
  private static let noLimits = Option.flag(
    "no-limits", help: "Leave out measuring what the machine can do, which takes about a second.")
  private static let json = Option.flag("json", help: "Print one JSON object instead of tables.")

  static let definition = CommandDefinition(
    name: "kernel", summary: "Time single nodes with every kernel there is, or take them out.",
    operand: OperandDefinition(
      "ACTION [OP|MODEL]", count: 1...2, accepts: .model, actions: KernelAction.words,
      takesOtherWords: true,
      help:
        "list [MODEL]; bench OP with --shape, or bench with --from or --shapes; extract MODEL[#NODE]"
    ),
    options: [
      from.definition, shape.definition, option.definition, type.definition, weights.definition,
      result.definition, shapes.definition, output.definition,
    ] + RunInputs.definitions + [threads.definition, assertion.definition, noLimits.definition]
      + BudgetOptions.definitions
      + RunInputs.pictureDefinitions + [OutputClaims.force.definition, json.definition],
    discussion: """
      list shows what can compute nodes on this machine, and of a model which kernel each would run. \
      bench lets all implementations of one node take turns: every instruction set, each with the \
      strategy that a plan chooses, the one that is expected to take the least time, and with every other \
      that accepts the node; floats with the official bits, OpenBLAS if it is installed, and the \
      reference kernel, which defines the correct result. Implementations with other results are \
      rejected: integers have one correct result, floats may differ by the order of additions. \
      Rates are those of the fastest turn, since other work on the machine can only slow it; \
      times include the cost of running a model of one node, a few tenths of a microsecond.

      extract takes nodes out of a model, with what they worked on when it ran, runs each of them \
      once more and says whether the same bits came out: a small .tflite file, and a case that \
      'ocellus verify' runs, for a report of a fault or a test. Of MODEL all nodes, of MODEL#12 one, of \
      MODEL#1:5 one of a subgraph that is called.
      """,
    examples: [
      .init(
        arguments: "bench --from model.tflite#12",
        purpose:
          "The node that 'profile' shows as the slowest, with everything that can compute it."),
      .init(
        arguments: "bench CONV_2D --shape 1x40x40x32,64x3x3x32 --type int8,float32",
        purpose: "A layer of one's own."),
      .init(
        arguments: "extract model.tflite#12 -o node", purpose: "A small model that shows a fault."),
    ])

  private let action: KernelAction
  private let subject: String?
  private let source: String?
  private let requests: [KernelRequest]
  private let listPath: String?
  private let types: [ElementType]
  private let outputPath: String?
  private let inputs: RunInputs
  private let options: Interpreter.Options
  private let isForced: Bool
  private let percent: Double?
  private let measuresLimits: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.operands
    guard let action = KernelAction(rawValue: words[0]) else {
      let known = KernelAction.words.joined(separator: ", ")
      throw UsageError("kernel has no '\(words[0])': it takes one of \(known)")
    }
    self.action = action
    subject = words.count > 1 ? words[1] : nil
    source = try arguments[Self.from]
    listPath = try arguments[Self.shapes]
    outputPath = try arguments[Self.output]
    inputs = try RunInputs(arguments)
    options = Interpreter.Options(
      threads: try arguments[Self.threads], budget: try BudgetOptions.read(arguments))
    isForced = try arguments[OutputClaims.force]
    percent = try arguments[Self.assertion]
    measuresLimits = try !arguments[Self.noLimits]
    isJSON = try arguments[Self.json]
    types = try Self.types(arguments)
    requests = try Self.requests(arguments, subject: action == .bench ? subject : nil, types)
    try check(arguments)
  }

  private static func types(_ arguments: ParsedArguments) throws(UsageError) -> [ElementType] {
    var types: [ElementType] = []
    for word in try arguments[type] {
      guard let type = KernelRequest.types.first(where: { $0.word == word }) else {
        throw UsageError(
          "--type is one of \(KernelRequest.types.map(\.word).joined(separator: ", ")), not '\(word)'"
        )
      }
      types.append(type.value)
    }
    return types
  }

  private static func requests(
    _ arguments: ParsedArguments, subject: String?, _ types: [ElementType]
  ) throws(UsageError) -> [KernelRequest] {
    guard let subject else { return [] }
    var request = KernelRequest(operatorName: subject, operands: [])
    for text in try arguments[shape] { request.operands.append(try .init(text)) }
    for setting in try arguments[option] {
      guard let equals = setting.firstIndex(of: "=") else {
        throw UsageError("--option wants NAME=VALUE, not '\(setting)'")
      }
      let value = setting[setting.index(after: equals)...]
      request.options.append((String(setting[..<equals]), String(value)))
    }
    request.weightType = try arguments[weights]
    request.resultType = try arguments[result]
    return (types.isEmpty ? [.float32] : types).map { type in
      var request = request
      request.type = type
      return request
    }
  }

  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    switch action {
    case .list: break
    case .bench:
      let sources = [subject, source, listPath].compactMap(\.self)
      guard sources.count == 1 else {
        throw UsageError("'kernel bench' wants one of: an operator, --from, --shapes")
      }
      if subject != nil, arguments.texts["shape"] == nil {
        throw UsageError("an operator wants its operands: --shape 1x40x40x32,64x3x3x32")
      }
      if let source, try NodeAddress(source).node == nil {
        throw UsageError("--from wants a node: \(source)#12")
      }
    case .extract:
      guard let subject, outputPath != nil else {
        throw UsageError("say what to extract, and where to: kernel extract MODEL#12 -o DIR")
      }
      _ = try NodeAddress(subject)
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    switch action {
    case .list: try list(in: context)
    case .bench:
      context.warnUnlessOptimized()
      return try bench(in: context)
    case .extract:
      guard let subject, let outputPath else { return .wrongUsage }
      return try extract(NodeAddress(subject), to: outputPath, in: context)
    }
    return .success
  }

  // MARK: Lists

  private func list(in context: CommandContext) throws {
    let list = try subject.map { path in
      try NodeKernels(of: Model(FileOrStream.model(path)), inputs, options)
    }
    if isJSON {
      try context.print(KernelChoices.json(list))
    } else {
      try context.write(KernelChoices.text(list))
    }
  }

  // MARK: Timing

  private func bench(in context: CommandContext) throws -> ExitCode {
    let progress = ProgressLine(in: context)
    var reports: [KernelReport] = []
    var limits = measuresLimits ? KernelLimits(threads: options.threads) : nil
    let nodes = try nodes()
    for (index, node) in nodes.enumerated() {
      progress.show("\(index + 1) of \(nodes.count): \(node.title)")
      let trial: KernelBenchmark
      do { trial = try KernelBenchmark(node, options) } catch let error as SingleNode.Refusal {
        throw RunError("\(node.title): \(error)")
      }
      reports.append(KernelReport(trial: trial, limits: limits?.of(trial) ?? [:]))
    }
    progress.clear()
    if isJSON {
      try context.print(["action": "bench", "nodes": .array(reports.map { .object($0.json) })])
    } else if listPath == nil {
      try context.write(reports.map(\.text).joined(separator: "\n"))
    } else {
      try context.write(KernelReport.overview(reports))
    }
    let isWrong = reports.contains { $0.trial.outcomes.contains(where: \.isWrong) }
    let isMisjudged = try judgeChoices(of: reports, in: context)
    return isWrong || isMisjudged ? .failure : .success
  }

  /// Reports choices that lose more than `--assert` allows, and returns whether there are any.
  private func judgeChoices(of reports: [KernelReport], in context: CommandContext) throws -> Bool {
    guard let percent else { return false }
    let choices = reports.reduce(0) { $0 + $1.trial.choiceCount }
    var lost = 0
    for report in reports {
      for misjudgement in report.trial.suboptimalChoices(over: percent) {
        lost += 1
        context.complain(
          "\(report.trial.node.title): \(misjudgement.chosen.kernel ?? "") takes "
            + "\(misjudgement.percent.fixed(0)) % longer than \(misjudgement.best.kernel ?? "")")
      }
    }
    context.complain(
      "\(lost) of \(choices) choices take over \(percent.fixed(0)) % longer than the fastest")
    return lost > 0
  }

  private func nodes() throws -> [SingleNode] {
    if let source { return [try node(NodeAddress(source))] }
    var requests = requests
    if let listPath {
      requests = try KernelList(path: listPath).requests.flatMap { request in
        let types = request.isLayer ? (self.types.isEmpty ? [.int8, .float32] : self.types) : []
        guard !types.isEmpty else { return [request] }
        return types.map { type in
          var request = request
          request.type = type
          return request
        }
      }
    }
    return try requests.map { try $0.node() }
  }

  private func node(_ address: NodeAddress) throws -> SingleNode {
    var found: SingleNode?
    try capture(address) { node, model in
      do { found = try SingleNode(node, of: model) } catch let error as SingleNode.Refusal {
        throw RunError("node \(node.title): \(error)")
      }
    }
    guard let found else { throw RunError("\(address.path): the node does not run") }
    return found
  }

  private func capture(
    _ address: NodeAddress, receive: @escaping (CapturedNode, Model) throws -> Void
  ) throws {
    let model = try Model(FileOrStream.model(address.path))
    try address.check(in: model)
    var options = options
    options.runsNodesSeparately = true
    let interpreter = try Interpreter(model, options: options)
    let entry = try inputs.entry(of: interpreter)
    try inputs.set(in: entry, of: interpreter)
    try NodeCapture.run(interpreter, entry, address) { try receive($0, model) }
  }

  // MARK: Extracting

  private func extract(
    _ address: NodeAddress, to folder: String, in context: CommandContext
  ) throws -> ExitCode {
    try OutputClaims.requireFolder(
      folder, for: "--output", hint: "name a folder for the files of the nodes")
    try FileSystem.createDirectory(folder)
    var claims = OutputClaims(reading: [address.path] + inputs.paths, isForced: isForced)
    var extracts: [NodeExtract] = []
    let progress = ProgressLine(in: context)
    try capture(address) { node, model in
      progress.show("node \(node.title)")
      let extract = try NodeExtract(
        node, of: model, source: address.path.lastPathComponent, options, to: folder, &claims,
        context)
      extracts.append(extract)
    }
    progress.clear()
    if isJSON {
      try context.print(["action": "extract", "nodes": .array(extracts.map(\.json))])
    } else {
      try context.write(NodeExtract.text(extracts))
    }
    let isComplete = extracts.allSatisfy {
      $0.problem == nil || address.node == nil && $0.isRefused
    }
    return isComplete ? .success : .failure
  }
}

/// The actions of `kernel`.
enum KernelAction: String, CaseIterable {
  case list
  case bench
  case extract

  static var words: [String] { allCases.map(\.rawValue) }
}
