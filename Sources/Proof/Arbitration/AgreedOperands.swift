package import OcellusAudit
package import OcellusEngine
import OcellusPlatform

/// An operand of the disputed node, whose hash both parties state.
package struct AgreedOperand: Sendable {
  package let tensor: Receipt.Tensor
  package let subgraph: Int
  /// The execution of the node that made it, as archives of tensors number them.
  package let call: Int
}

extension Receipt {
  /// Returns what the receipt states about a tensor before one of its nodes runs.
  ///
  /// - Returns: `nil` for the inputs of called subgraphs, about which receipts state nothing.
  func operand(_ tensor: Int, ofSubgraph subgraph: Int, before position: Int) -> AgreedOperand? {
    for node in nodes.prefix(position).reversed() where node.subgraph == subgraph {
      if let result = node.outputs.first(where: { $0.index == tensor }) {
        return AgreedOperand(tensor: result, subgraph: subgraph, call: node.call)
      }
    }
    guard subgraph == 0, let input = inputs.first(where: { $0.index == tensor }) else { return nil }
    return AgreedOperand(tensor: input, subgraph: 0, call: 0)
  }
}

/// Where a court finds the operands of the disputed node.
package enum OperandSource {
  /// Tensors that parties kept; whoever has them, their hashes tell whether they are the right ones.
  case kept([TensorArchive])
  /// A run of the model on the input that both parties were shown.
  case computed(Interpreter)
}

extension OperandSource {
  /// Returns the operands of a node; `nil` for those that are not there.
  func tensors(_ operands: [AgreedOperand], of node: Receipt.Node) throws -> [StoredTensor?] {
    switch self {
    case .kept(let archives):
      return try operands.map { operand in try Self.first(operand, in: archives) }
    case .computed(let interpreter):
      let run = OperandCapture(of: node)
      interpreter.observer = run
      defer { interpreter.observer = nil }
      try interpreter.run()
      return operands.map { run.tensors[$0.tensor.index] }
    }
  }

  /// Returns the tensor from the first archive that has the bytes of the stated hash, or else the
  /// one with other bytes that was found.
  private static func first(
    _ operand: AgreedOperand, in archives: [TensorArchive]
  ) throws -> StoredTensor? {
    let tensor = operand.tensor
    var other: StoredTensor?
    for archive in archives {
      let found = try archive.tensor(
        tensor.index, name: tensor.name, type: tensor.type, quantization: nil,
        subgraph: operand.subgraph, call: operand.call)
      if let found, tensor.isStated(of: found) { return found }
      other = other ?? found
    }
    return other
  }
}

/// Copies the operands of one execution of one node.
private final class OperandCapture: RunObserver {
  private let node: Receipt.Node
  private var callCount = 0
  private(set) var tensors: [Int: StoredTensor] = [:]

  init(of node: Receipt.Node) { self.node = node }

  func willRun(_ node: ObservedNode) {
    guard (node.subgraph, node.index) == (self.node.subgraph, self.node.index) else { return }
    if callCount == self.node.call {
      for case let operand? in node.inputs where !operand.isConstant {
        tensors[operand.index] = StoredTensor(operand)
      }
    }
    callCount += 1
  }

  func didRun(_ node: ObservedNode) {}
}

extension Receipt.Tensor {
  /// Whether this is the statement about a tensor of these bytes.
  func isStated(of tensor: StoredTensor) -> Bool {
    tensor.shape == shape && tensor.type == type
      && SHA256.hash(tensor.bytes).hexadecimal == hash
  }
}
