import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// The operands with which a disputed node can be computed again, or why it cannot.
enum NodeTrial {
  case possible([StoredTensor])
  case impossible(String)

  /// Collects the operands of a node, and checks that they are those that both parties state.
  init(
    of node: Receipt.Node, in receipt: Receipt, before position: Int, model: Model,
    source: OperandSource
  ) throws {
    guard
      let isolated = try IsolatedNode(
        node.index, ofSubgraph: node.subgraph, of: model, options: .init())
    else {
      self = .impossible("the node depends on more than its operands, such as variables")
      return
    }
    let record = model.file.subgraphs[node.subgraph]
    var operands: [AgreedOperand] = []
    for index in isolated.operands {
      guard record.tensors[index].type != .string,
        let operand = receipt.operand(index, ofSubgraph: node.subgraph, before: position)
      else {
        self = .impossible("the receipts do not state operand '\(record.tensors[index].name)'")
        return
      }
      operands.append(operand)
    }
    let found = try source.tensors(operands, of: node)
    for (operand, tensor) in zip(operands, found) {
      if let problem = Self.problem(of: tensor, as: operand.tensor, from: source) {
        self = .impossible(problem)
        return
      }
    }
    self = .possible(found.compactMap { $0 })
  }

  private static func problem(
    of tensor: StoredTensor?, as operand: Receipt.Tensor, from source: OperandSource
  ) -> String? {
    guard let tensor else {
      return "operand '\(operand.name)' was not kept; a receipt's --keep keeps all of them"
    }
    guard !operand.isStated(of: tensor) else { return nil }
    switch source {
    case .kept: return "the kept operand '\(operand.name)' is not the one that both state"
    case .computed:
      return
        "operand '\(operand.name)' comes out different here than both state, so that their own "
        + "tensors are needed: --keep"
    }
  }
}
