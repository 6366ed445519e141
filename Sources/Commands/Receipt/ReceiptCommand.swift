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
      check: the folder with these tensors.
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
      --exact. 'check' recomputes everything with the settings in the receipt, and names the \
      first node that differs.

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
      if let proof = try proof(path) { return try check(proof, in: context) }
      return try check(path, in: context)
    case .repeat: return try repeatRecord(at: modelPath, in: context)
    }
  }

  /// Repeats the run in a directory that `--record` wrote.
  private func repeatRecord(at path: String, in context: CommandContext) throws -> ExitCode {
    guard RunRecord.isPresent(at: path) else {
      throw AuditError(
        "\(path) is no directory that --record wrote; a receipt is checked with its model: "
          + "receipt check RECEIPT MODEL")
    }
    let differences = try RunRecord.differences(in: path)
    if isJSON {
      try context.print([
        "schema": "ocellus-record-check", "schema_version": 1,
        "holds": .bool(differences.isEmpty),
        "differences": .array(differences.map { .string($0) }),
      ])
    } else if differences.isEmpty {
      try context.print("the record holds: the same files, answers and receipts")
    } else {
      for difference in differences { context.complain(difference) }
    }
    return differences.isEmpty ? .success : .failure
  }

  // MARK: Making

  private func make(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath] + inputs.paths, isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    let context = context.reporting(beside: claims)
    let store = try keepPath.map { try TensorStore(path: $0) }
    let receipt = try receipt(options, keep: store?.keep)
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

  private func receipt(
    _ options: Interpreter.Options, keep: ReceiptRecorder.Keep? = nil
  ) throws -> Receipt {
    let model = try Model(path: modelPath)
    let interpreter = try Interpreter(model, options: options)
    let pictures = try inputs.set(in: interpreter.main, of: model)
    var receipt = try ReceiptRecorder(keep: keep).receipt(of: interpreter)
    receipt.setting.version = Program.version
    receipt.pictureHashes = pictures.map(\.hash)
    receipt.preparations = pictures.flatMap(\.preparations)
    return receipt
  }

  // MARK: Checking

  /// Returns the proof in a file that `merge` wrote, or `nil` if the file has other contents.
  private func proof(_ path: String) throws -> ResultProof? {
    let bytes = try FileSystem.read(path, limit: 1 << 30)
    return (try? JSONParser.parse(bytes).object).flatMap { ResultProof($0) }
  }

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

  private func check(_ path: String, in context: CommandContext) throws -> ExitCode {
    let stated = try read(path)
    // Computes as when the receipt was made, as far as this processor and the root permit.
    var options = options
    switch stated.setting.numerics {
    case "exact": options.numerics = .exact
    case "reference": options.usesReferenceKernels = true
    case "blas": options.backend = .blas
    default: break
    }
    let verdict: ReceiptVerdict
    var sampled: [Int]?
    if let sampleCount, let keepPath {
      let model = try Model(path: modelPath)
      guard model.fileHash == stated.modelHash else {
        throw AuditError(
          "\(modelPath) is not the model of the receipt: its SHA-256 is \(model.fileHash)")
      }
      var generator = SystemRandomNumberGenerator()
      let sample = ReceiptSample(
        of: stated, model: model, archive: try TensorArchive(path: keepPath), options: options)
      let (found, nodes) = try sample.check(sampleCount, using: &generator)
      (verdict, sampled) = (found, nodes)
    } else {
      verdict = stated.verdict(comparedWith: try receipt(options))
    }
    try report(verdict, of: stated, sampled: sampled, in: context)
    return verdict.holds ? .success : .failure
  }

  private func read(_ path: String) throws -> Receipt {
    do {
      return try Receipt(JSONParser.parse(try FileSystem.read(path, limit: 1 << 30)))
    } catch let error as JSONError {
      throw AuditError("\(path): \(error)")
    } catch let error as AuditError {
      throw AuditError("\(path): \(error)")
    }
  }

  private func report(
    _ verdict: ReceiptVerdict, of receipt: Receipt, sampled: [Int]?, in context: CommandContext
  ) throws {
    if isJSON {
      try context.print([
        "schema": "ocellus-receipt-check", "schema_version": 1, "holds": .bool(verdict.holds),
        "root": .string(receipt.root), "sampled_nodes": sampled.map { .integers($0) } ?? .null,
        "node": verdict.node.map { .integer($0.index) } ?? .null,
        "subgraph": verdict.node.map { .integer($0.subgraph) } ?? .null,
        "message": .string(verdict.message),
      ])
    } else if verdict.holds {
      let which = sampled.map { ": \($0.map(String.init).joined(separator: ", "))" } ?? ""
      try context.print("\(verdict.message)\(which); root \(receipt.root)")
    } else {
      context.complain(verdict.message)
    }
  }
}

extension ReceiptVerdict {
  /// The verdict as a message.
  var message: String {
    if holds { return "the receipt holds, \(nodeCount) nodes" }
    var message = "the receipt does not hold"
    if !otherQuestions.isEmpty {
      message += ", it is about something else: \(otherQuestions.joined(separator: "; "))"
    }
    guard let node else { return message }
    let suffix = node.subgraph == 0 ? "" : " of subgraph \(node.subgraph)"
    message += "; the first node that differs is \(node.index)\(suffix) (\(node.operatorName))"
    if let tensor { message += ", result '\(tensor.name)': \(tensor.hash) is stated" }
    return "\(message), \(found) was found"
  }
}
