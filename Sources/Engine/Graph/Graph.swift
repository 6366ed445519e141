/// A model's subgraphs with every operator decoded and every connection checked.
package struct Graph: Sendable {
  /// By the file's numbering; `nil` for subgraphs that nothing can reach.
  package let subgraphs: [Subgraph?]
  /// Whether floats are rounded to small integers somewhere, which makes steps of differences in
  /// their last bit.
  let roundsFloats: Bool

  init(subgraphs: [Subgraph?]) {
    self.subgraphs = subgraphs
    roundsFloats = subgraphs.contains { $0?.nodes.contains(where: \.spec.roundsFloats) ?? false }
  }
}

extension NodeSpec {
  /// Whether floats meet small integers here: quantized weights, or a quantized result.
  fileprivate var roundsFloats: Bool {
    guard optionalInput(0)?.type == .float32 else { return false }
    let tensors = inputs.compactMap { $0 } + outputs
    return tensors.contains { tensor in
      switch tensor.type {
      case .int8, .uint8, .int4, .uint4, .int2, .int16: true
      default: false
      }
    }
  }
}

/// Tensors and the nodes that compute them, in an order in which they can run.
package struct Subgraph: Sendable {
  package let index: Int
  package let name: String
  package let tensors: [TensorSpec]
  package let inputs: [Int]
  package let outputs: [Int]
  package let nodes: [Node]
  /// For every tensor the node that computes it, or -1.
  package let producers: [Int]
  /// For every tensor the last node that reads it, -1 if none does, `Int.max` for outputs.
  package let lastUses: [Int]
  /// For every tensor how often nodes and outputs of the subgraph name it.
  package let useCounts: [Int]
}
