import Synchronization

/// What the planner has computed from constants alone: made once per model, shared by all its
/// interpreters, such as weights that the file keeps in half precision.
final class FoldedConstants: Sendable {
  private struct Key: Hashable {
    var subgraph: Int
    var node: Int
    /// A constant may lie in another order, for operands in another order.
    var form: GraphForm

    init(_ node: Node, _ form: GraphForm) {
      subgraph = node.spec.subgraph
      self.node = node.spec.index
      self.form = form
    }
  }

  private let results = Mutex<[Key: [TensorSlot]]>([:])

  /// The slots of a node's outputs, if they were folded before in a graph of this form.
  func results(of node: Node, in form: GraphForm) -> [TensorSlot]? {
    results.withLock { $0[Key(node, form)] }
  }

  func keep(_ node: Node, in form: GraphForm, _ slots: [TensorSlot]) {
    results.withLock { $0[Key(node, form)] = slots }
  }
}
