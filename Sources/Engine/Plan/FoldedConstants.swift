import Synchronization

/// What the planner has computed from constants alone: made once per model, shared by all its
/// interpreters, such as weights that the file keeps in half precision.
final class FoldedConstants: Sendable {
  private struct Key: Hashable {
    var subgraph: Int
    var node: Int
  }

  private let results = Mutex<[Key: [TensorSlot]]>([:])

  /// The slots of a node's outputs, if they were folded before.
  func results(of node: Node) -> [TensorSlot]? {
    let key = Key(subgraph: node.spec.subgraph, node: node.spec.index)
    return results.withLock { $0[key] }
  }

  func keep(_ node: Node, _ slots: [TensorSlot]) {
    let key = Key(subgraph: node.spec.subgraph, node: node.spec.index)
    results.withLock { $0[key] = slots }
  }
}
