import OcellusEngine

/// The subgraph and index of a node.
struct NodeKey: Hashable {
  let subgraph: Int
  let node: Int
}

/// The properties of a node beside its times, recorded when it first runs.
struct NodeFacts {
  /// An operand or result.
  struct Tensor {
    let index: Int
    let byteCount: Int
    let type: ElementType
    /// Whether the whole tensor is in memory; otherwise it causes no memory traffic.
    let isInMemory: Bool
  }

  let key: NodeKey
  let operatorName: String
  let execution: PlanDescription.Execution
  /// The ground on which the kernel's strategy was chosen; `nil` if there was no choice.
  let strategyBasis: StrategyChoice.Basis?
  let multiplyAdds: Int
  let outputName: String
  /// The shape of the first result.
  let shape: String
  let inputs: [Tensor]
  let outputs: [Tensor]
  /// The size of operands that stay in place as results, so they need no copy.
  let elidedCopyByteCount: Int

  init(_ node: ObservedNode) {
    key = NodeKey(subgraph: node.subgraph, node: node.index)
    operatorName = node.operatorName
    execution = node.execution
    strategyBasis = node.strategy?.basis
    multiplyAdds = node.multiplyAdds
    let results = node.outputs
    outputName = results.first?.name ?? ""
    shape = results.first.map { "\($0.shape)" } ?? ""
    inputs = node.inputs.compactMap { $0.map(Tensor.init) }
    outputs = results.map(Tensor.init)
    elidedCopyByteCount = node.elidedCopyByteCount
  }
}

extension NodeFacts.Tensor {
  init(_ tensor: ObservedTensor) {
    index = tensor.index
    type = tensor.type
    isInMemory = tensor.isInMemory
    byteCount = tensor.type.byteCount(ofElements: tensor.shape.elementCount) ?? 0
  }
}
