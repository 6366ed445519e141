package import OcellusAudit
package import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusModelFile
import OcellusPlatform

/// Settles a dispute about what a model computed, by computing one node again.
package struct Court {
  private let model: Model
  private let source: OperandSource
  /// The version of this program, whose floats other versions may round differently.
  private let version: String

  package init(of model: Model, operands source: OperandSource, version: String) {
    self.model = model
    self.source = source
    self.version = version
  }

  /// Hears two parties.
  package func ruling(on first: Party, _ second: Party) throws -> Ruling {
    guard first.receipt.root != second.receipt.root else {
      return Ruling(.same, because: "both receipts have the root \(first.receipt.root)")
    }
    if let reason = otherQuestion(first, second) {
      return Ruling(.otherQuestions, because: reason)
    }
    guard let dispute = Dispute(between: first, and: second) else {
      return rulingOnOutputs(first, second)
    }
    if let ruling = rulingOnOrder(dispute, first, second) { return ruling }
    return try rulingOnResults(dispute, first, second)
  }

  // MARK: What is not about a node

  /// Returns why the parties need not have the same results.
  private func otherQuestion(_ first: Party, _ second: Party) -> String? {
    for party in [first, second] where party.receipt.modelHash != model.fileHash {
      return "\(party.name) is about a model with the SHA-256 \(party.receipt.modelHash), and this "
        + "model's is \(model.fileHash)"
    }
    guard first.receipt.inputs == second.receipt.inputs else {
      return "the models were shown different inputs"
    }
    guard first.receipt.pictureHashes == second.receipt.pictureHashes,
      first.receipt.preparations == second.receipt.preparations
    else { return "the input was made from other pictures, or in another way" }
    return nil
  }

  /// Rules on receipts that agree about all nodes, but not about what the model returned.
  private func rulingOnOutputs(_ first: Party, _ second: Party) -> Ruling {
    let contradictions = [first, second].map { $0.receipt.contradiction(to: model) }
    let outcome: Ruling.Outcome =
      switch (contradictions[0], contradictions[1]) {
      case (_?, _?): .bothAreWrong
      case (_?, nil): .firstIsWrong
      case (nil, _?): .secondIsWrong
      case (nil, nil): .undecided
      }
    let reasons = zip([first, second], contradictions).compactMap { party, contradiction in
      contradiction.map { "\(party.name): \($0)" }
    }
    return Ruling(
      outcome,
      because: reasons.isEmpty
        ? "they agree about every node, and yet their roots differ"
        : reasons.joined(separator: "; "))
  }

  /// Rules on parties that do not mean the same node, in a model whose nodes run in one order.
  private func rulingOnOrder(_ dispute: Dispute, _ first: Party, _ second: Party) -> Ruling? {
    let (a, b) = dispute.statements
    if let a, let b, a.isRunOfSameNode(as: b) { return nil }
    guard model.file.subgraphs.count == 1 else {
      return Ruling(
        .undecided,
        because:
          "they did not run the same nodes, and which ones run depends on data in this model",
        dispute: dispute)
    }
    let nodes = model.file.subgraphs[0].operators
    let position = dispute.agreedCount
    func isRight(_ node: Receipt.Node?) -> Bool {
      guard nodes.indices.contains(position) else { return node == nil }
      guard let node else { return false }
      return (node.subgraph, node.index, node.call) == (0, position, 0)
        && node.operatorName == model.operatorName(position)
    }
    let expected =
      nodes.indices.contains(position)
      ? "node \(position) of the model is \(model.operatorName(position) ?? "unknown")"
      : "the model has no more than \(nodes.count) nodes"
    return Ruling(isRight(a), isRight(b), because: expected, dispute)
  }

  // MARK: One node

  private func rulingOnResults(
    _ dispute: Dispute, _ first: Party, _ second: Party
  ) throws -> Ruling {
    guard let a = dispute.statements.first, let b = dispute.statements.second else {
      return Ruling(.undecided, because: "a statement is missing", dispute: dispute)
    }
    let trial = try NodeTrial(
      of: a, in: first.receipt, before: dispute.agreedCount, model: model, source: source)
    switch trial {
    case .impossible(let reason):
      return Ruling(.undecided, because: reason, dispute: dispute)
    case .possible(let operands):
      let sides = try [(first, a), (second, b)].map { party, statement in
        try judgement(on: statement, of: party, from: operands)
      }
      let reasons = zip([first, second], sides).map { "\($0.name) \($1.reason)" }
      var ruling = Ruling(
        sides[0].isRight, sides[1].isRight, because: reasons.joined(separator: "; "), dispute)
      ruling.exchangeCount += 1
      ruling.operandByteCount = operands.reduce(0) { $0 + $1.bytes.count }
      return ruling
    }
  }

  /// Computes a node again with a party's own setting, as far as this processor permits.
  private func judgement(
    on statement: Receipt.Node, of party: Party, from operands: [StoredTensor]
  ) throws -> (isRight: Bool?, reason: String) {
    let setting = party.receipt.setting
    var options = Interpreter.Options(replaying: setting)
    // An extracted node does not know that the rest of its model rounds floats.
    if model.graph.roundsFloats { options.numerics = .exact }
    guard
      let node = try IsolatedNode(
        statement.index, ofSubgraph: statement.subgraph, of: model, options: options)
    else { return (nil, "cannot be judged: the node depends on more than its operands") }
    let results = try node.results(of: operands)
    if isSame(statement, results) { return (true, "has the bits that are computed here") }
    let own = Receipt.Setting(
      version: version, instructionSet: options.instructionSet ?? KernelTable.best.name,
      threads: 1, numerics: setting.numerics)
    var rounded = RoundedResults(of: model)
    if let cause = setting.roundingCause(in: own), rounded.rounds(statement) {
      return (nil, "may round differently: \(cause.reason); \(cause.remedy)")
    }
    let found = results.map { SHA256.hash($0.bytes).hexadecimal }.joined(separator: ", ")
    return (false, "has other bits than the SHA-256 \(found) that is computed here")
  }

  private func isSame(_ statement: Receipt.Node, _ results: [StoredTensor]) -> Bool {
    let tensors = model.file.subgraphs[statement.subgraph].tensors
    let indices = model.file.subgraphs[statement.subgraph].operators[statement.index].outputs
    guard statement.outputs.map(\.index) == indices, results.count == indices.count else {
      return false
    }
    return zip(statement.outputs, results).allSatisfy { stated, result in
      stated.name == tensors[stated.index].name && stated.isStated(of: result)
    }
  }
}

extension Model {
  /// Returns the name of an operator of the main subgraph.
  fileprivate func operatorName(_ node: Int) -> String? {
    guard let graph = graph.subgraphs[0], graph.nodes.indices.contains(node) else { return nil }
    return graph.nodes[node].spec.operatorName
  }
}

extension Receipt {
  /// Returns how the receipt contradicts itself or the model, as far as can be seen without a run.
  fileprivate func contradiction(to model: Model) -> String? {
    let verdict = verdictWithoutInput(of: model)
    if let question = verdict.otherQuestions.first { return question }
    return verdict.node.map { "node \($0.index) is stated to be \($0.operatorName)" }
  }
}

extension Interpreter.Options {
  /// Makes options that give a node the bits of a setting, where this processor can.
  package init(replaying setting: Receipt.Setting) {
    self.init(runsNodesSeparately: true)
    setting.apply(to: &self, among: KernelTable.available.map(\.name))
  }
}
