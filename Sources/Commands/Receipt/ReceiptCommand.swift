import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusPlatform

/// `ocellus receipt`: records what a model computed as hashes that anyone can check.
struct ReceiptCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE", accepts: .newFile,
    help: "Write the receipt to FILE instead of the standard output.")
  private static let keep = Option<String?>.text(
    "keep", "DIR", accepts: .newFolder,
    help: """
      For a new receipt: keep the tensors in DIR, so that nodes can be checked one by one. For a \
      check: the folder with these tensors, the inputs among them.
      """)
  private static let sample = Option<Int?>.integer(
    "sample", "K", in: 1...(.max),
    help: "Check K nodes, chosen at random, from tensors that were kept, instead of all.")
  private static let threads = Option<Int>.integer(
    "threads", "N", in: 1...256, default: 1, help: "Threads that share the work.")
  private static let json = Option.flag("json", help: "Print the verdict of a check as JSON.")

  static let definition = CommandDefinition(
    name: "receipt", summary: "Write down what a model computed, in hashes, and check it.",
    operand: OperandDefinition(
      "[check RECEIPT] MODEL", count: 1...3, accepts: .model, actions: ["check"],
      otherOperands: 1, takesOtherWords: true,
      help: """
        a .tflite file; behind 'check' a receipt and the model, a proof and the root that 'merge' told, \
        or what --record kept
        """),
    options: GivenInputs.definitions + [
      output.definition, keep.definition, sample.definition, threads.definition,
    ] + EngineOptions.definitions + [OutputClaims.force.definition, json.definition],
    discussion: """
      A receipt is JSON with the SHA-256 of the model, of what it was shown and of every node's \
      results, and the root of a Merkle tree (RFC 6962) over them. The same model and input give the \
      same root for every number of threads, and on every processor: integers always, floats with \
      --exact. 'check' recomputes everything with the settings in the receipt, pictures prepared as it \
      says, and names the first node that differs.

      Where this processor or version may round the receipt's floats differently, which its 'same_root' \
      says, or no input was given, 'check' checks the rest: the model, what it was shown, and all nodes \
      of integers. The outcome is then 'undecided', and the exit code \(ExitCode.undecided.rawValue).

      To sign a receipt, use a tool that is made for it: minisign -Sm receipt.json, or cosign \
      sign-blob receipt.json.
      """,
    examples: [
      .init(
        arguments: "model.tflite --input photo.jpg -o receipt.json",
        purpose: "What was computed from the photo."),
      .init(
        arguments: "check receipt.json model.tflite --input photo.jpg",
        purpose: "Check the receipt. The exit code is 1 if it does not hold."),
      .init(
        arguments: "check receipt.json model.tflite --keep tensors --sample 5",
        purpose: "Check five nodes, from tensors that were kept."),
    ])

  private enum Action {
    case make
    case check(receipt: String)
    case `repeat`
  }

  private let action: Action
  private let modelPath: String
  private let inputs: GivenInputs
  private let outputPath: String?
  private let keepPath: String?
  private let sampleCount: Int?
  private let options: Interpreter.Options
  private let isJSON: Bool
  private let isForced: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let words = arguments.operands
    if words.count == 1, words[0] != "check" {
      action = .make
    } else if words.count == 3, words[0] == "check" {
      action = .check(receipt: words[1])
    } else if words.count == 2, words[0] == "check" {
      action = .repeat
    } else {
      throw UsageError(
        "say 'receipt MODEL', 'receipt check RECEIPT MODEL', or 'receipt check DIR' of a record")
    }
    modelPath = words[words.count - 1]
    inputs = try GivenInputs(arguments)
    outputPath = try arguments[Self.output]
    keepPath = try arguments[Self.keep]
    sampleCount = try arguments[Self.sample]
    var options = try EngineOptions.read(arguments, threads: try arguments[Self.threads])
    options.runsNodesSeparately = true
    self.options = options
    isJSON = try arguments[Self.json]
    isForced = try arguments[OutputClaims.force]
    if sampleCount != nil, keepPath == nil {
      throw UsageError("--sample computes nodes from kept tensors: say where they are with --keep")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    switch action {
    case .make: return try make(in: context)
    case .check(let path):
      switch try CheckedDocument(path: path) {
      case .proof(let proof): return try check(proof, in: context)
      case .receipt(let receipt): return try check(receipt, at: path, in: context)
      }
    case .repeat: return try repeatRecord(at: modelPath, in: context)
    }
  }

  /// Repeats the run in a directory that `--record` wrote.
  private func repeatRecord(at path: String, in context: CommandContext) throws -> ExitCode {
    guard FileSystem.isDirectory(path) else {
      throw UsageError("\(path): \(try CheckedDocument(path: path).complement)")
    }
    guard RunRecord.isPresent(at: path) else {
      throw AuditError(
        "\(path) is no directory that --record wrote; a receipt is checked with its model: "
          + "receipt check RECEIPT MODEL")
    }
    let check = try RunRecord.check(path)
    if isJSON {
      try context.print([
        "schema": "ocellus-record-check", "schema_version": 1,
        "holds": .bool(check.outcome == .holds), "outcome": .string(check.outcome.rawValue),
        "differences": .strings(check.differences), "doubts": .strings(check.doubts),
      ])
    } else if check.outcome == .holds {
      try context.print("the record holds: the same files, answers and receipts")
    } else {
      for difference in check.differences + check.doubts { context.complain(difference) }
    }
    return check.outcome.exitCode
  }

  // MARK: Making

  private func make(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath] + inputs.paths, isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    let context = context.reporting(beside: claims)
    let model = try Model(path: StoredModelNames.required(modelPath))
    let store = try keepPath.map { try TensorStore(path: $0) }
    let receipt = try inputs.receipt(of: model, options, keep: store?.keep)
    try store?.close()
    let text = receipt.json.text + "\n"
    if let outputPath {
      try context.write(Array(text.utf8), to: outputPath)
      try context.print("root \(receipt.root), \(receipt.nodes.count) nodes, in \(outputPath)")
    } else {
      try context.write(text)
    }
    return .success
  }

  // MARK: Checking

  /// Compares a proof with a root, given as text or as the report of `merge`.
  private func check(_ proof: ResultProof, in context: CommandContext) throws -> ExitCode {
    var root = modelPath
    if FileSystem.exists(root) {
      let report = try? JSONParser.parse(FileSystem.read(root, limit: 1 << 20)).object
      guard let stated = report?["root"]?.string else {
        throw AuditError("\(modelPath): 'merge --json' has written no root here")
      }
      root = stated
    }
    let holds = try proof.root() == root.lowercased()
    let message =
      holds
      ? "the result belongs to the root, as one of \(proof.count)"
      : "the result does not belong to the root \(root)"
    if isJSON {
      try context.print([
        "schema": "ocellus-proof-check", "schema_version": 1, "holds": .bool(holds),
        "root": .string(root), "message": .string(message),
      ])
    } else if holds {
      try context.print(message)
    } else {
      context.complain(message)
    }
    return holds ? .success : .failure
  }

  private func check(
    _ receipt: Receipt, at path: String, in context: CommandContext
  ) throws -> ExitCode {
    let check = try ReceiptCheck(
      of: receipt, at: path, modelPath: try StoredModelNames.required(modelPath), inputs,
      keepPath: keepPath, options)
    let verdict: ReceiptVerdict
    var sampled: [Int]?
    if let sampleCount, let keepPath {
      let (found, nodes) = try check.sampled(sampleCount, from: keepPath)
      (verdict, sampled) = (found, nodes)
    } else {
      verdict = try check.verdict()
    }
    if isJSON {
      try context.print(verdict.json(about: receipt, sampled: sampled))
    } else if verdict.holds {
      let which = sampled.map { ": \($0.map(String.init).joined(separator: ", "))" } ?? ""
      try context.print("\(verdict.message)\(which); root \(receipt.root)")
    } else {
      context.complain(verdict.message)
    }
    return verdict.outcome.exitCode
  }
}
