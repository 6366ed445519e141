package import OcellusEngine
import OcellusModelFile

/// The results of nodes that two runs may round differently, and what follows from them.
///
/// A node may have other results if it computes floats, or if an operand already differs. All other
/// nodes, such as those of integers, have the same bits on every processor.
package struct RoundedResults {
  private struct Place: Hashable {
    var subgraph: Int
    var tensor: Int
  }

  private let model: Model
  private var outlines: [Int: ModelOutline] = [:]
  private var rounded: Set<Place> = []

  package init(of model: Model) { self.model = model }

  /// Whether a rounded number may have decided which nodes run, and how often.
  var mayDecideWhatRuns: Bool { !rounded.isEmpty && model.file.subgraphs.count > 1 }

  /// Returns whether rounding explains that a node has other results, and remembers which.
  mutating func explain(_ stated: Receipt.Node, _ node: Receipt.Node) -> Bool {
    let pairs = zip(stated.outputs, node.outputs)
    guard stated.isRunOfSameNode(as: node), stated.outputs.count == node.outputs.count,
      pairs.allSatisfy({ $0.isSameTensor(as: $1) })
    else { return false }
    let hasSameShapes = pairs.allSatisfy { $0.shape == $1.shape }
    guard follows(node) || hasSameShapes && rounds(node) else { return false }
    for (stated, result) in pairs where stated != result {
      rounded.insert(Place(subgraph: node.subgraph, tensor: result.index))
    }
    return true
  }

  /// Returns whether a node of the model may round its results differently from the same operands.
  package mutating func rounds(_ node: Receipt.Node) -> Bool {
    let outline = outline(of: node.subgraph)
    guard let members = outline.node(node.index), let graph = model.graph.subgraphs[node.subgraph],
      graph.nodes.indices.contains(node.index),
      graph.nodes[node.index].operation.traits.isDisjoint(with: [.foldsWithStep, .readsShapesOnly])
    else { return false }
    return (members.inputs + members.outputs).contains { outline.tensors[$0]?.type.isFloat == true }
  }

  /// Returns whether an operand of a node may differ.
  private mutating func follows(_ node: Receipt.Node) -> Bool {
    let outline = outline(of: node.subgraph)
    guard !rounded.isEmpty, let members = outline.node(node.index) else { return false }
    return mayDecideWhatRuns
      || members.inputs.contains {
        // A variable may hold what an earlier node has computed.
        outline.tensors[$0]?.type == .resource
          || rounded.contains(Place(subgraph: node.subgraph, tensor: $0))
      }
  }

  private mutating func outline(of subgraph: Int) -> ModelOutline {
    if let known = outlines[subgraph] { return known }
    let outline =
      model.file.subgraphs.indices.contains(subgraph)
      ? ModelOutline(of: model, subgraph: subgraph) : .empty
    outlines[subgraph] = outline
    return outline
  }
}

extension Receipt.Node {
  /// Whether this is the same execution of the same node, whatever it computed.
  package func isRunOfSameNode(as other: Receipt.Node) -> Bool {
    (subgraph, index, call, operatorName)
      == (other.subgraph, other.index, other.call, other.operatorName)
  }
}

extension Receipt.Tensor {
  /// Whether this is the same tensor of the same model, whatever it holds.
  fileprivate func isSameTensor(as other: Receipt.Tensor) -> Bool {
    (index, name, type) == (other.index, other.name, other.type)
  }
}

extension ElementType {
  /// Whether the elements are floats, or pairs of them.
  fileprivate var isFloat: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64, .complex64, .complex128: true
    default: false
    }
  }
}
