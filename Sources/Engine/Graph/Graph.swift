/// A model's subgraphs with every operator decoded and every connection checked.
package struct Graph: Sendable {
  /// By the file's numbering; `nil` for subgraphs that nothing can reach.
  package let subgraphs: [Subgraph?]
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
}
