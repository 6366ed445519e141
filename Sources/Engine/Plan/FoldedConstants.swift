import OcellusPlatform
import Synchronization

/// What the planner has computed from constants alone: made once per model, shared by all its
/// interpreters, such as weights that the file keeps in half precision.
final class FoldedConstants: Sendable {
  /// The outputs of nodes, by the form of the graph: a constant may lie in another order, for operands in
  /// another order.
  private struct Results {
    var original = PlaceTable<[TensorSlot]?>(nil)
    var rewritten = PlaceTable<[TensorSlot]?>(nil)
  }

  private let results = Mutex(Results())

  /// The slots of a node's outputs, if they were folded before in a graph of this form.
  func results(of node: Node, in form: GraphForm) -> [TensorSlot]? {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    return results.withLock { results in
      switch form {
      case .original: results.original[index, in: subgraph]
      case .rewritten: results.rewritten[index, in: subgraph]
      }
    }
  }

  func keep(_ node: Node, in form: GraphForm, _ slots: [TensorSlot]) {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    results.withLock { results in
      switch form {
      case .original: results.original[index, in: subgraph] = slots
      case .rewritten: results.rewritten[index, in: subgraph] = slots
      }
    }
  }
}
