import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform
import OcellusProof

/// `ocellus arbitrate`: finds out who of two parties is right about what a model computed.
struct ArbitrateCommand: Command {
  private static let keep = Option<[String]>.texts(
    "keep", "DIR", accepts: .file,
    help: """
      Tensors that a party kept with 'receipt --keep': a folder or .npz file. May be repeated; whoever \
      has the operands, their hashes tell whether they are those that both state. Without it, the model \
      is run on its input until the disputed node.
      """)
  private static let json = Option.flag("json", help: "Print the ruling as JSON.")

  static let definition = CommandDefinition(
    name: "arbitrate", summary: "Find out which of two receipts is wrong, by computing one node.",
    operand: OperandDefinition(
      "A.json B.json MODEL", count: 3...3, accepts: .file,
      help: "two receipts of one model and input, and the model"),
    options: GivenInputs.definitions + [keep.definition, json.definition],
    discussion: """
      Two receipts of one model and input have different roots: somebody is wrong, or both rounded \
      differently. 'arbitrate' finds the first node about which they disagree, by comparing hashes over \
      the first half of the nodes, then of that half's, and so on. It then computes this one node again \
      from the operands that both state, with the setting that each receipt names, and compares the bits.

      The ruling is one of: a_is_wrong, b_is_wrong, both_are_wrong, both_are_right (each has the bits of \
      its own setting), same, other_questions (other models or inputs), undecided. The exit code is \
      \(ExitCode.undecided.rawValue) for the last two, and 0 for a ruling on the matter.
      """,
    examples: [
      .init(
        arguments: "mine.json theirs.json model.tflite --input photo.jpg",
        purpose: "Who is right about the photo?"),
      .init(
        arguments: "mine.json theirs.json model.tflite --keep my_tensors --keep their_tensors",
        purpose: "The same without the photo, from tensors that were kept."),
    ])

  private let paths: [String]
  private let inputs: GivenInputs
  private let keepPaths: [String]
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    inputs = try GivenInputs(arguments)
    keepPaths = try arguments[Self.keep]
    isJSON = try arguments[Self.json]
    if !keepPaths.isEmpty, !inputs.isEmpty {
      throw UsageError("operands come from --keep or from a run on --input: give one of the two")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    let parties = try zip(["A", "B"], paths).map { name, path in
      Party(name: "\(name) (\(path))", try receipt(at: path))
    }
    let model = try Model(path: StoredModelNames.required(paths[2]))
    let court = Court(
      of: model, operands: try source(for: model, parties[0].receipt), version: Program.version)
    let ruling = try court.ruling(on: parties[0], parties[1])
    if isJSON {
      try context.print(ruling.json(about: parties))
    } else {
      try context.write(ruling.text)
    }
    return ruling.exitCode
  }

  private func receipt(at path: String) throws -> Receipt {
    guard case .receipt(let receipt) = try CheckedDocument(path: path) else {
      throw AuditError("\(path) is a proof that 'merge' wrote, and no receipt")
    }
    return receipt
  }

  private func source(for model: Model, _ receipt: Receipt) throws -> OperandSource {
    guard keepPaths.isEmpty else {
      return .kept(try keepPaths.map { try TensorArchive(path: $0) })
    }
    let interpreter = try Interpreter(model, options: .init(replaying: receipt.setting))
    // Pictures of another model's receipt have nothing to do with this model.
    if receipt.modelHash == model.fileHash {
      let inputs = try inputs.replaying(ReplayedPreparation(of: receipt, at: paths[0]))
      try inputs.set(in: interpreter.main, of: model)
    }
    return .computed(interpreter)
  }
}
