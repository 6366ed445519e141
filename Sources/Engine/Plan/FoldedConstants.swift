import OcellusPlatform
import Synchronization

/// The results of nodes that the planner has computed from constants alone.
///
/// They are made once per model and shared by all its interpreters: weights that the file keeps in
/// half precision, for example.
final class FoldedConstants: Sendable {
  /// The slots of a node's outputs; `nil` until the node is folded.
  private typealias Results = NodeTable<[TensorSlot]?>

  /// By the form of the graph, since a rewritten one may order the axes of a constant differently,
  /// and a delegated one computes other bits.
  private let results = Mutex<[GraphForm: Results]>([:])

  /// Returns the slots of a node's outputs, if they were folded before in a graph of this form.
  func results(of node: Node, in form: GraphForm) -> [TensorSlot]? {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    return results.withLock { $0[form]?[index, in: subgraph] ?? nil }
  }

  func keep(_ node: Node, in form: GraphForm, _ slots: [TensorSlot]) {
    let (subgraph, index) = (node.spec.subgraph, node.spec.index)
    results.withLock { $0[form, default: Results(nil)][index, in: subgraph] = slots }
  }
}
