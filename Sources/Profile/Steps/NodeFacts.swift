import OcellusEngine

/// A node by where it stands.
struct NodeKey: Hashable {
  let subgraph: Int
  let node: Int
}

/// What a profile says of a node beside its times, taken down when it is first run.
struct NodeFacts {
  /// A tensor that goes in or out.
  struct Tensor {
    let index: Int
    let byteCount: Int
    let type: ElementType
    /// Whether it exists as a whole; else it is handed on in pieces, and no memory is moved for it.
    let isInMemory: Bool
  }

  let key: NodeKey
  let operatorName: String
  let execution: PlanDescription.Execution
  let multiplyAdds: Int
  let outputName: String
  /// The shape of the first result.
  let shape: String
  let inputs: [Tensor]
  let outputs: [Tensor]
  /// What is both read and written, and stays where it is.
  let unmovedByteCount: Int

  init(_ node: ObservedNode) {
    key = NodeKey(subgraph: node.subgraph, node: node.index)
    operatorName = node.operatorName
    execution = node.execution
    multiplyAdds = node.multiplyAdds
    let results = node.outputs
    outputName = results.first?.name ?? ""
    shape = results.first.map { "\($0.shape)" } ?? ""
    inputs = node.inputs.compactMap { $0.map(Tensor.init) }
    outputs = results.map(Tensor.init)
    unmovedByteCount = node.unmovedByteCount
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
