/// What is said about a subgraph, its inputs and its outputs.
package struct SubgraphMetadata: Sendable, Hashable {
  package var name: String?
  package var description: String?
  /// In the order of the subgraph's inputs.
  package var inputs: [TensorMetadata] = []
  /// In the order of the subgraph's outputs, or told apart by name.
  package var outputs: [TensorMetadata] = []
  package var associatedFiles: [AssociatedFileRecord] = []
  package var inputProcessUnits: [ProcessUnit] = []
  package var outputProcessUnits: [ProcessUnit] = []
  package var inputGroups: [TensorGroup] = []
  package var outputGroups: [TensorGroup] = []
  package var custom: [CustomMetadata] = []

  /// Tensors that belong together, such as the boxes and the scores of detections.
  package struct TensorGroup: Sendable, Hashable {
    package var name: String?
    package var tensorNames: [String]

    package init(name: String?, tensorNames: [String]) {
      self.name = name
      self.tensorNames = tensorNames
    }
  }

  /// Named bytes that the schema says nothing about.
  package struct CustomMetadata: Sendable, Hashable {
    package var name: String?
    package var bytes: [UInt8]

    package init(name: String?, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }
}

/// What is said about an input or an output.
package struct TensorMetadata: Sendable, Hashable {
  package var name: String?
  package var description: String?
  package var dimensionNames: [String] = []
  package var content: TensorContent?
  /// What to do to an input before, to an output afterwards, in this order.
  package var processUnits: [ProcessUnit] = []
  /// The smallest values, one or one per channel.
  package var minimum: [Float] = []
  /// The largest values, one or one per channel.
  package var maximum: [Float] = []
  package var associatedFiles: [AssociatedFileRecord] = []
}
