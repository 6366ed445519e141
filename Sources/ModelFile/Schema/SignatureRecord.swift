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
