import OcellusModelFile

/// A call of a subgraph by a node.
package struct SubgraphCall: Sendable {
  package let index: Int

  /// Checks that the subgraph exists and that its inputs and outputs match those of the node.
  package init(
    _ node: NodeSpec, subgraph index: Int, inputs: ArraySlice<TensorSpec?>,
    outputTypes: [ElementType]
  ) throws(ModelError) {
    self.index = index
    try node.require(
      node.subgraphs.indices.contains(index) && index != node.subgraph,
      "cannot call subgraph \(index) of \(node.subgraphs.count)")
    let subgraph = node.subgraphs[index]
    let inputTypes = subgraph.inputs.map { ElementType(subgraph.tensors[$0].type) }
    let resultTypes = subgraph.outputs.map { ElementType(subgraph.tensors[$0].type) }
    try node.require(
      inputTypes == inputs.map { $0?.type } && !inputTypes.contains(nil),
      "subgraph \(index) takes other inputs")
    try node.require(resultTypes == outputTypes, "subgraph \(index) has other outputs")
    // Each input aliases the caller's memory while the subgraph runs.
    for (position, input) in subgraph.inputs.enumerated() {
      try node.require(
        !subgraph.inputs[..<position].contains(input) && !subgraph.tensors[input].isVariable,
        "input \(position) of subgraph \(index) is a variable, or an input twice")
    }
  }
}
