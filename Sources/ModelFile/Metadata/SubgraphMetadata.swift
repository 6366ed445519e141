/// The description of a subgraph, its inputs and its outputs.
public struct SubgraphMetadata: Sendable, Hashable {
  /// The name of the subgraph.
  public var name: String?
  /// The description of the subgraph.
  public var description: String?
  /// The inputs, in the order of the subgraph's inputs.
  public var inputs: [TensorMetadata] = []
  /// The outputs, in the order of the subgraph's outputs, or identified by name.
  public var outputs: [TensorMetadata] = []
  /// The files that belong to the subgraph.
  public var associatedFiles: [AssociatedFileRecord] = []
  /// The preprocessing steps that apply to several inputs.
  public var inputProcessUnits: [ProcessUnit] = []
  /// The postprocessing steps that apply to several outputs.
  public var outputProcessUnits: [ProcessUnit] = []
  /// The groups of inputs that belong together.
  public var inputGroups: [TensorGroup] = []
  /// The groups of outputs that belong together.
  public var outputGroups: [TensorGroup] = []
  /// Metadata that the schema has no field for.
  public var custom: [CustomMetadata] = []

  /// Tensors that belong together, such as the boxes and the scores of detections.
  public struct TensorGroup: Sendable, Hashable {
    /// The name of the group.
    public var name: String?
    /// The names of the tensors.
    public var tensorNames: [String]

    package init(name: String?, tensorNames: [String]) {
      self.name = name
      self.tensorNames = tensorNames
    }
  }

  /// Named bytes whose meaning the schema does not define.
  public struct CustomMetadata: Sendable, Hashable {
    /// The name of the bytes.
    public var name: String?
    /// The bytes, whose meaning writer and reader have to agree on.
    public var bytes: [UInt8]

    package init(name: String?, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }
}

/// The description of an input or an output.
public struct TensorMetadata: Sendable, Hashable {
  /// The name of the tensor.
  public var name: String?
  /// The description of the tensor.
  public var description: String?
  /// The names of the tensor's dimensions.
  public var dimensionNames: [String] = []
  /// The meaning of the tensor's numbers.
  public var content: TensorContent?
  /// The preprocessing steps of an input or postprocessing steps of an output, in this order.
  public var processUnits: [ProcessUnit] = []
  /// The smallest values: one, or one per channel.
  public var minimum: [Float] = []
  /// The largest values: one, or one per channel.
  public var maximum: [Float] = []
  /// The files that belong to the tensor.
  public var associatedFiles: [AssociatedFileRecord] = []

  /// Creates a description that says nothing.
  package init() {}
}
