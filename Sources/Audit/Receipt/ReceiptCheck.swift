package import OcellusEngine

/// What becomes of a receipt when somebody computes again.
package enum ReceiptVerdict: Sendable, Equatable {
  /// Everything that was looked at is as the receipt says.
  case holds(nodeCount: Int)
  /// It is about something else: the model, an input, a picture or its preparation.
  case differentQuestion(String)
  /// This node's results are others, and those of all nodes in front of it are not.
  case differs(Receipt.Node, tensor: Receipt.Tensor?, found: String)
}

extension Receipt {
  /// Compares with a receipt that was made anew.
  package func verdict(comparedWith other: Receipt) -> ReceiptVerdict {
    if modelHash != other.modelHash {
      return .differentQuestion(
        "the model's SHA-256 is \(other.modelHash), and the receipt's \(modelHash)")
    }
    if let input = zip(inputs, other.inputs).first(where: { $0 != $1 }) {
      return .differentQuestion(
        "input '\(input.0.name)' is \(input.1.type.name) \(input.1.shape) with the SHA-256 "
          + "\(input.1.hash), and the receipt's \(input.0.type.name) \(input.0.shape) with \(input.0.hash)"
      )
    }
    if inputs.count != other.inputs.count {
      return .differentQuestion(
        "there are \(other.inputs.count) inputs, and the receipt's \(inputs.count)")
    }
    if pictureHashes != other.pictureHashes {
      return .differentQuestion("the input was made of another picture than the receipt's")
    }
    if let step = zip(preparations, other.preparations).first(where: { $0 != $1 }) {
      return .differentQuestion(
        "the picture's \(step.1.property) is \(step.1.value), and the receipt's \(step.0.property) "
          + step.0.value)
    }
    return verdictOfNodes(comparedWith: other)
  }

  private func verdictOfNodes(comparedWith other: Receipt) -> ReceiptVerdict {
    for (stated, found) in zip(nodes, other.nodes) where stated != found {
      let tensor = zip(stated.outputs, found.outputs).first { $0 != $1 }
      return .differs(stated, tensor: tensor?.0, found: tensor?.1.hash ?? "another node")
    }
    if let stated = nodes.dropFirst(other.nodes.count).first {
      return .differs(stated, tensor: nil, found: "no such node")
    }
    if let found = other.nodes.dropFirst(nodes.count).first {
      return .differs(found, tensor: nil, found: "a node more than the receipt has")
    }
    if outputs != other.outputs {
      return .differentQuestion("the outputs are not those that the nodes made")
    }
    return .holds(nodeCount: nodes.count)
  }
}

/// Checks some nodes of a receipt without running the whole model, from tensors that were kept.
package struct ReceiptSample {
  private let receipt: Receipt
  private let model: Model
  private let archive: TensorArchive
  private let options: Interpreter.Options
  /// The hashes of the main subgraph's tensors.
  private var hashes: [Int: Receipt.Tensor] = [:]

  package init(
    of receipt: Receipt, model: Model, archive: TensorArchive, options: Interpreter.Options
  ) {
    self.receipt = receipt
    self.model = model
    self.archive = archive
    self.options = options
    let nodes = receipt.nodes.filter { $0.subgraph == 0 }
    for tensor in receipt.inputs + nodes.flatMap(\.outputs) { hashes[tensor.index] = tensor }
  }

  /// Computes so many nodes again, chosen by a generator of random numbers.
  ///
  /// - Returns: the verdict, and which nodes were computed: fewer, where there are not so many whose
  ///   results follow from their operands alone.
  package func check(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) throws -> (verdict: ReceiptVerdict, nodes: [Int]) {
    var checked: [Int] = []
    for node in receipt.nodes.filter({ $0.subgraph == 0 }).shuffled(using: &generator) {
      if checked.count == count { break }
      guard let results = try recompute(node) else { continue }
      checked.append(node.index)
      for (stated, found) in zip(node.outputs, results)
      where stated.hash != SHA256.hash(found.bytes).hexadecimal {
        return (
          .differs(node, tensor: stated, found: SHA256.hash(found.bytes).hexadecimal), checked
        )
      }
    }
    return (.holds(nodeCount: checked.count), checked.sorted())
  }

  private func recompute(_ node: Receipt.Node) throws -> [StoredTensor]? {
    guard let isolated = try IsolatedNode(node.index, of: model, options: options) else {
      return nil
    }
    var operands: [StoredTensor] = []
    for index in isolated.operands {
      // NumPy leaves out zeros at the end of texts.
      guard let stated = hashes[index], stated.type != .string,
        let tensor = try archive.tensor(
          index, name: stated.name, type: stated.type, quantization: nil)
      else { return nil }
      guard SHA256.hash(tensor.bytes).hexadecimal == stated.hash else {
        throw AuditError(
          "\(archive.path): tensor \(index) '\(stated.name)' is not the one of the receipt")
      }
      operands.append(tensor)
    }
    return try isolated.results(of: operands)
  }
}
