/// A named entry point of a model, which runs a subgraph.
public struct SignatureRecord: Sendable, Hashable {
  /// The name of the signature.
  public var key: String
  /// The index of the graph that the signature runs.
  public var subgraphIndex: Int
  /// The inputs with their names.
  public var inputs: [NamedTensor]
  /// The outputs with their names.
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
  /// The name of the tensor in the signature.
  public var name: String
  /// The index of the tensor in its graph.
  public var tensor: Int

  package init(name: String, tensor: Int) {
    self.name = name
    self.tensor = tensor
  }
}
