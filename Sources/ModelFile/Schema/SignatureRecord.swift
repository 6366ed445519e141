/// A named way to call a subgraph.
package struct SignatureRecord: Sendable, Hashable {
  package var key: String
  package var subgraphIndex: Int
  package var inputs: [NamedTensor]
  package var outputs: [NamedTensor]

  package init(
    key: String, subgraphIndex: Int, inputs: [NamedTensor], outputs: [NamedTensor]
  ) {
    self.key = key
    self.subgraphIndex = subgraphIndex
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// A signature's name for a tensor of its subgraph.
package struct NamedTensor: Sendable, Hashable {
  package var name: String
  package var tensor: Int

  package init(name: String, tensor: Int) {
    self.name = name
    self.tensor = tensor
  }
}
