import OcellusEngine

/// The outcome of checking a receipt by computing again.
package struct ReceiptVerdict: Sendable, Equatable {
  /// The differences between the receipt's model, input or preparation and those computed now.
  package var otherQuestions: [String] = []
  /// The first node whose results differ; all nodes before it agree.
  package var node: Receipt.Node?
  /// The first differing result of this node.
  package var tensor: Receipt.Tensor?
  /// The hash found instead, or a description.
  package var found = ""
  /// The number of nodes that were compared.
  package var nodeCount: Int

  /// Whether everything agrees with the receipt.
  package var holds: Bool { otherQuestions.isEmpty && node == nil }
}

extension Receipt {
  /// Compares with a receipt that was computed again.
  package func verdict(comparedWith other: Receipt) -> ReceiptVerdict {
    var verdict = ReceiptVerdict(
      otherQuestions: otherQuestions(than: other), nodeCount: nodes.count)
    for (stated, found) in zip(nodes, other.nodes) where stated != found {
      let tensors = zip(stated.outputs, found.outputs).first { $0 != $1 }
      verdict.node = stated
      verdict.tensor = tensors?.0
      verdict.found = tensors?.1.hash ?? "the operator \(found.operatorName)"
      return verdict
    }
    if let stated = nodes.dropFirst(other.nodes.count).first {
      verdict.node = stated
      verdict.found = "no such node"
    } else if let more = other.nodes.dropFirst(nodes.count).first {
      verdict.node = more
      verdict.found = "a node more than the receipt has"
    } else if outputs != other.outputs {
      verdict.otherQuestions.append("the outputs are other tensors than the receipt's")
    } else if verdict.holds, root != other.root {
      verdict.otherQuestions.append("the root is \(other.root), and the receipt's \(root)")
    }
    return verdict
  }

  private func otherQuestions(than other: Receipt) -> [String] {
    var reasons: [String] = []
    if modelHash != other.modelHash {
      reasons.append("the model's SHA-256 is \(other.modelHash), and the receipt's \(modelHash)")
    } else if modelByteCount != other.modelByteCount {
      reasons.append(
        "the model has \(other.modelByteCount) bytes, and the receipt's \(modelByteCount)")
    }
    if inputs.count != other.inputs.count {
      reasons.append("there are \(other.inputs.count) inputs, and the receipt's \(inputs.count)")
    } else if let (stated, found) = zip(inputs, other.inputs).first(where: { $0 != $1 }) {
      reasons.append(
        "input '\(stated.name)' is \(found.type.name) \(found.shape) with the SHA-256 \(found.hash), "
          + "and the receipt's \(stated.type.name) \(stated.shape) with \(stated.hash)")
    }
    if pictureHashes != other.pictureHashes {
      reasons.append("the input was made of another picture than the receipt's")
    }
    if preparations.count != other.preparations.count {
      reasons.append("the picture was prepared in other steps than the receipt's")
    } else if let (stated, found) = zip(preparations, other.preparations).first(where: { $0 != $1 })
    {
      reasons.append(
        "the picture's \(found.property) is \(found.value), and the receipt's \(stated.property) "
          + stated.value)
    }
    return reasons
  }
}
