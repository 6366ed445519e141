package import OcellusAudit
package import OcellusEngine
import OcellusModelFile

/// Judges the tensors that another runtime computed.
///
/// Each node is bounded from the operands that the runtime itself had, so that only the node is
/// judged. Where the runtime did not keep an operand, because it fuses nodes, the bounds of the node
/// that made it are the operand.
package struct BoundsJudge {
  private let model: Model
  /// Where tensors are looked for; the first archive that has one counts.
  private let archives: [TensorArchive]
  private let bounder: NodeBounder

  package init(of model: Model, _ archives: [TensorArchive], _ arithmetic: BoundsArithmetic) {
    self.model = model
    self.archives = archives
    bounder = NodeBounder(of: model, arithmetic)
  }

  /// Judges the nodes of the main subgraph one after the other.
  package func judge(_ report: (NodeBound) throws -> Void) throws {
    let graph = model.file.subgraphs[0]
    var known = KnownTensors(of: graph)
    var constants = Set(graph.tensors.indices.filter { graph.tensors[$0].data != nil })
    for input in graph.inputs {
      known.set(input, to: try tensor(input).map { BoundedTensor(exact: $0) })
    }
    for (index, node) in graph.operators.enumerated() {
      let operands = node.inputs.map { $0 < 0 ? nil : known.tensors[$0] }
      // Runtimes fold what depends on constants only, and keep anything in its place.
      let isFolded = node.inputs.allSatisfy { $0 < 0 || constants.contains($0) }
      if isFolded { constants.formUnion(node.outputs) }
      let results = try node.outputs.map { isFolded ? nil : try tensor($0) }
      let outcome = bounder.outcome(
        ofNode: index, inSubgraph: 0, operands: operands,
        shapes: zip(node.outputs, results).compactMap { $1?.shape ?? declaredShape($0) })
      known.add(outcome, of: index, seen: results)
      try report(
        NodeBound(
          subgraph: 0, index: index, call: 0,
          operatorName: model.file.operatorCodes[node.codeIndex].name,
          tensorName: node.outputs.first.map { graph.tensors[$0].name } ?? "",
          outcome: outcome.judged(by: results)))
    }
  }

  /// Returns a tensor that the runtime kept; `nil` if it did not, or if nobody can tell its elements.
  private func tensor(_ index: Int) throws -> StoredTensor? {
    let record = model.file.subgraphs[0].tensors[index]
    guard record.data == nil, let type = ElementType(record.type), type != .string else {
      return nil
    }
    for archive in archives {
      let found = try archive.tensor(
        index, name: record.name, type: type, quantization: Quantization(record.quantization))
      if let found { return found }
    }
    return nil
  }

  private func declaredShape(_ tensor: Int) -> Shape? {
    let record = model.file.subgraphs[0].tensors[tensor]
    guard record.shapeSignature?.contains(-1) != true, !record.shape.isEmpty || record.hasRank
    else { return nil }
    return Shape(record.shape)
  }
}

extension KnownTensors {
  /// Adds the results of a node: those that were seen, and the bounds of others.
  fileprivate mutating func add(
    _ outcome: BoundsOutcome, of index: Int, seen results: [StoredTensor?]
  ) {
    var bounds: [BoundedTensor?] = results.map { _ in nil }
    if case .bounded(let tensors) = outcome, tensors.count == results.count {
      bounds = tensors.map { $0 }
    }
    add(zip(bounds, results).map { $1.map { BoundedTensor(exact: $0) } ?? $0 }, of: index)
  }
}
