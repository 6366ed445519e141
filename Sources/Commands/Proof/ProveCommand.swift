import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusProof

/// `ocellus prove`: shows that kernels are right for every input of a quantized model.
struct ProveCommand: Command {
  private static let output = Option<String?>.text(
    "output", letter: "o", "FILE", accepts: .newFile,
    help: "Write the certificate to FILE; '-' is standard output.")
  private static let node = Option<Int?>.integer(
    "node", "N", in: 0...(.max), help: "Examine only this node of the main subgraph, for a look.")
  private static let instructionSet = Option<String?>.text(
    "isa", "NAME",
    accepts: .words(KernelTable.available.map(\.name)),
    help: "The kernels to examine, of those that 'ocellus cpu' says may run. Default: the best.")
  private static let json = Option.flag("json", help: "Print the certificate instead of a table.")

  static let definition = CommandDefinition(
    name: "prove", summary: "Prove that kernels are right for every input of a quantized model.",
    operand: .model,
    options: [
      output.definition, node.definition, instructionSet.definition, OutputClaims.force.definition,
      json.definition,
    ],
    discussion: """
      Integers are finite. Of a quantized convolution, the weights tell which sums inputs can lead to: \
      if these fit 32 bits, they are exact in any order, and what is left is a function of one number. \
      It is run over every sum of every channel, in the kernel that the plan chose, and compared with \
      plain arithmetic ('every_sum'). Functions of one operand are run over every value at every place \
      ('every_value'), those of two operands of bytes over every pair ('every_pair'), and nodes that \
      move elements over elements that are told apart ('every_place'). Of nodes that take maxima, each \
      element of a group stands out in turn ('every_selection'). These are compared with the reference \
      kernel. Quantizing floats is compared with plain arithmetic for every float ('every_float'), and \
      so is a softmax for every sum of exponentials, in rows of up to 16 elements.

      Nodes are examined one by one, as with 'trace': not fused with their neighbours. What computes \
      floats or has too many cases is 'not_proved', with the reason. The exit code is 1 if a kernel is \
      refuted, and \(ExitCode.undecided.rawValue) if something is not proved.
      """,
    examples: [
      .init(arguments: "model.tflite", purpose: "Which nodes are right for every input?"),
      .init(
        arguments: "model.tflite -o certificate.json",
        purpose: "The same as a document, which Benchmarks/check_certificate.py checks."),
    ])

  private let modelPath: String
  private let outputPath: String?
  private let chosenNode: Int?
  private let instructionSetName: String?
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    modelPath = arguments.operands[0]
    outputPath = try arguments[Self.output]
    chosenNode = try arguments[Self.node]
    instructionSetName = try arguments[Self.instructionSet]
    isForced = try arguments[OutputClaims.force]
    isJSON = try arguments[Self.json]
    if outputPath != nil, chosenNode != nil {
      throw UsageError("a certificate is about all nodes: leave out --node or --output")
    }
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var claims = OutputClaims(reading: [modelPath], isForced: isForced)
    if let outputPath { try claims.claim(outputPath, for: "--output") }
    let context = context.reporting(beside: claims)
    let certificate = try certificate(in: context)
    if let outputPath {
      try context.write(Array((certificate.json.text + "\n").utf8), to: outputPath)
    }
    if isJSON {
      try context.print(certificate.json)
    } else {
      try context.write(certificate.text)
    }
    if !certificate.refuted.isEmpty { return .failure }
    return certificate.provedCount == certificate.nodes.count ? .success : .undecided
  }

  private func certificate(in context: CommandContext) throws -> Certificate {
    let model = try Model(path: StoredModelNames.required(modelPath))
    var prover = ModelProver(of: model, engine: OwnEngine(instructionSet: instructionSetName))
    // An unknown instruction set is an error at once, not one of each node.
    let interpreter = try Interpreter(model, options: .init(instructionSet: instructionSetName))
    let nodes = prover.nodes.filter { node in
      chosenNode.map { node == (0, $0) } ?? true
    }
    if nodes.isEmpty, let chosenNode {
      let count = prover.nodes.count { $0.subgraph == 0 }
      throw RunError(
        "--node: the main subgraph has no node \(chosenNode), but \(count), numbered from 0")
    }
    let progress = ProgressLine(in: context)
    var proofs: [NodeProof] = []
    for node in nodes {
      let place = "node \(proofs.count + 1) of \(nodes.count)"
      progress.show(place)
      prover.progress = { progress.show("\(place), \((100 * $0).fixed(0)) %") }
      proofs.append(try prover.proof(ofNode: node.index, inSubgraph: node.subgraph))
    }
    progress.clear()
    return Certificate(
      modelHash: model.fileHash, modelByteCount: model.fileByteCount,
      programVersion: Program.version, instructionSet: interpreter.instructionSet, nodes: proofs)
  }
}
