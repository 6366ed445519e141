/// A named way to call a subgraph.
public struct SignatureRecord: Sendable, Hashable {
  /// What it is called by.
  public var key: String
  /// The graph that it runs.
  public var subgraphIndex: Int
  /// What it is given.
  public var inputs: [NamedTensor]
  /// What it gives.
  public var outputs: [NamedTensor]

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
public struct NamedTensor: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The tensor's position in its graph.
  public var tensor: Int

  package init(name: String, tensor: Int) {
    self.name = name
    self.tensor = tensor
  }
}
