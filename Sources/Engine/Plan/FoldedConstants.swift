import OcellusPlatform
import Synchronization

/// The results of nodes that the planner has computed from constants alone.
///
/// They are made once per model and shared by all its interpreters: weights that the file keeps in
/// half precision, for example.
final class FoldedConstants: Sendable {
  /// The outputs of nodes by the form of the graph, since the rewritten form may order the axes of
  /// a constant differently.
  private struct Results {
    var original = NodeTable<[TensorSlot]?>(nil)
    var rewritten = NodeTable<[TensorSlot]?>(nil)
    var delegated = NodeTable<[TensorSlot]?>(nil)
  }

  private let results = Mutex(Results())

  /// Returns the slots of a node's outputs, if they were folded before in a graph of this form.
  func results(of node: Node, in form: GraphForm) -> [TensorSlot]? {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    return results.withLock { results in
      switch form {
      case .original: results.original[index, in: subgraph]
      case .rewritten: results.rewritten[index, in: subgraph]
      case .delegated: results.delegated[index, in: subgraph]
      }
    }
  }

  func keep(_ node: Node, in form: GraphForm, _ slots: [TensorSlot]) {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    results.withLock { results in
      switch form {
      case .original: results.original[index, in: subgraph] = slots
      case .rewritten: results.rewritten[index, in: subgraph] = slots
      case .delegated: results.delegated[index, in: subgraph] = slots
      }
    }
  }
}
