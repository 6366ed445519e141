package import OcellusEngine
import OcellusModelFile

/// The outcome of checking a receipt by computing again.
package struct ReceiptVerdict: Sendable, Equatable {
  /// Whether the receipt is right.
  package enum Outcome: String, Sendable {
    /// Everything is as the receipt says.
    case holds
    /// Something is not as the receipt says.
    case differs
    /// Nothing contradicts the receipt, but not everything could be checked.
    case undecided
  }

  /// The reason why not everything could be checked.
  package enum Obstacle: Sendable, Equatable {
    /// Nodes compute floats, which this run rounds in another way.
    ///
    /// If kept tensors show by how much they differ, rounding explains it (`isMeasured`).
    case rounding(RoundingCause, nodeCount: Int, isMeasured: Bool)
    /// No input was given, and the receipt's was not generated.
    case noInput(isPicture: Bool)
    /// No node could be computed from the tensors that were kept.
    case noTensors
  }

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
  /// The reason why not everything could be checked.
  package var obstacle: Obstacle?

  package var outcome: Outcome {
    if !otherQuestions.isEmpty || node != nil { return .differs }
    return obstacle == nil ? .holds : .undecided
  }

  /// Whether everything agrees with the receipt.
  package var holds: Bool { outcome == .holds }
}

extension Receipt {
  /// Compares with a receipt that was computed again.
  ///
  /// If the settings of both allow floats to be rounded differently, `model` tells which nodes this
  /// may concern; without it, every difference counts.
  package func verdict(comparedWith other: Receipt, of model: Model? = nil) -> ReceiptVerdict {
    var verdict = ReceiptVerdict(
      otherQuestions: otherQuestions(than: other), nodeCount: nodes.count)
    // From other inputs, all results are others.
    guard inputs == other.inputs else { return verdict }
    let cause = verdict.otherQuestions.isEmpty ? setting.roundingCause(in: other.setting) : nil
    var rounded = cause == nil ? nil : model.map { RoundedResults(of: $0) }
    var roundedCount = 0
    for (stated, found) in zip(nodes, other.nodes) where stated != found {
      if rounded?.explain(stated, found) == true {
        roundedCount += 1
        continue
      }
      if !stated.isRunOfSameNode(as: found), rounded?.mayDecideWhatRuns == true { break }
      let tensors = zip(stated.outputs, found.outputs).first { $0 != $1 }
      verdict.node = stated
      verdict.tensor = tensors?.0
      verdict.found = tensors?.1.hash ?? "the operator \(found.operatorName)"
      return verdict
    }
    if let cause, roundedCount > 0 {
      verdict.obstacle = .rounding(cause, nodeCount: roundedCount, isMeasured: false)
    }
    if rounded?.mayDecideWhatRuns != true { compareCounts(with: other, &verdict) }
    compareOutputs(with: other, &verdict)
    return verdict
  }

  private func compareCounts(with other: Receipt, _ verdict: inout ReceiptVerdict) {
    if let stated = nodes.dropFirst(other.nodes.count).first {
      verdict.node = stated
      verdict.found = "no such node"
    } else if let more = other.nodes.dropFirst(nodes.count).first {
      verdict.node = more
      verdict.found = "a node more than the receipt has"
    }
  }

  private func compareOutputs(with other: Receipt, _ verdict: inout ReceiptVerdict) {
    guard verdict.node == nil else { return }
    // Outputs that were rounded differently are still the results that the receipt states.
    let results = verdict.obstacle == nil ? [:] : statedResults
    let agrees =
      outputs.count == other.outputs.count
      && zip(outputs, other.outputs).allSatisfy { stated, found in
        stated == found || stated.index == found.index && results[stated.index] == stated.hash
      }
    if !agrees {
      verdict.otherQuestions.append("the outputs are other tensors than the receipt's")
    } else if verdict.holds, root != other.root {
      verdict.otherQuestions.append("the root is \(other.root), and the receipt's \(root)")
    }
  }

  /// The hashes of the last results of the main subgraph's nodes, by tensor.
  private var statedResults: [Int: String] {
    var results: [Int: String] = [:]
    for node in nodes where node.subgraph == 0 {
      for result in node.outputs { results[result.index] = result.hash }
    }
    return results
  }

  private func otherQuestions(than other: Receipt) -> [String] {
    var reasons = otherModel(thanOf: other.modelHash, other.modelByteCount).map { [$0] } ?? []
    if inputs.count != other.inputs.count {
      reasons.append("there are \(other.inputs.count) inputs, and the receipt's \(inputs.count)")
    } else if let (stated, found) = zip(inputs, other.inputs).first(where: { $0 != $1 }) {
      reasons.append(
        "input '\(stated.name)' is \(found.type.name) \(found.shape) with the SHA-256 \(found.hash), "
          + "and the receipt's \(stated.type.name) \(stated.shape) with \(stated.hash)")
    }
    if pictureHashes.isEmpty != other.pictureHashes.isEmpty {
      reasons.append(
        pictureHashes.isEmpty
          ? "the input was made of a picture, and the receipt's was not"
          : "the input was not made of a picture, and the receipt's was")
    } else if pictureHashes != other.pictureHashes {
      reasons.append("the input was made of another picture than the receipt's")
    } else if preparations.count != other.preparations.count {
      reasons.append("the picture was prepared in other steps than the receipt's")
    } else if let (stated, found) = zip(preparations, other.preparations).first(where: { $0 != $1 })
    {
      reasons.append(
        "the picture's \(found.property) is \(found.value), and the receipt's \(stated.property) "
          + stated.value)
    }
    return reasons
  }

  private func otherModel(thanOf hash: String, _ byteCount: Int) -> String? {
    if modelHash != hash {
      return "the model's SHA-256 is \(hash), and the receipt's \(modelHash)"
    }
    guard modelByteCount != byteCount else { return nil }
    return "the model has \(byteCount) bytes, and the receipt's \(modelByteCount)"
  }
}

// MARK: - Without a run

extension Receipt {
  /// Checks what needs no input: the model, and that all inputs, nodes and results are its own.
  package func verdictWithoutInput(of model: Model) -> ReceiptVerdict {
    var verdict = ReceiptVerdict(nodeCount: nodes.count)
    verdict.obstacle = .noInput(isPicture: !pictureHashes.isEmpty)
    if let other = otherModel(thanOf: model.fileHash, model.fileByteCount) {
      verdict.otherQuestions = [other]
      return verdict
    }
    guard inputs.map(\.index) == model.file.subgraphs[0].inputs else {
      verdict.otherQuestions = ["the receipt's inputs are not those of the model"]
      return verdict
    }
    var outlines: [Int: ModelOutline] = [:]
    for node in nodes {
      guard model.file.subgraphs.indices.contains(node.subgraph) else {
        (verdict.node, verdict.found) = (node, "no such subgraph")
        return verdict
      }
      let outline =
        outlines[node.subgraph] ?? ModelOutline(of: model, subgraph: node.subgraph)
      outlines[node.subgraph] = outline
      let own = outline.node(node.index)
      guard let own, own.operatorName == node.operatorName,
        Set(node.outputs.map(\.index)).isSubset(of: own.outputs)
      else {
        verdict.node = node
        verdict.found = own.map { "the operator \($0.operatorName)" } ?? "no such node"
        return verdict
      }
    }
    let results = statedResults
    if outputs.map(\.index) != model.file.subgraphs[0].outputs
      || outputs.contains(where: { results[$0.index, default: $0.hash] != $0.hash })
    {
      verdict.otherQuestions = ["the receipt's outputs are not the results that it states"]
    }
    return verdict
  }
}
