/// What is said about a subgraph, its inputs and its outputs.
public struct SubgraphMetadata: Sendable, Hashable {
  /// Its name.
  public var name: String?
  /// What it is.
  public var description: String?
  /// In the order of the subgraph's inputs.
  public var inputs: [TensorMetadata] = []
  /// In the order of the subgraph's outputs, or told apart by name.
  public var outputs: [TensorMetadata] = []
  /// Files that belong to it.
  public var associatedFiles: [AssociatedFileRecord] = []
  /// Steps in front of it that concern several inputs.
  public var inputProcessUnits: [ProcessUnit] = []
  /// Steps behind it that concern several outputs.
  public var outputProcessUnits: [ProcessUnit] = []
  /// Inputs that belong together.
  public var inputGroups: [TensorGroup] = []
  /// Outputs that belong together.
  public var outputGroups: [TensorGroup] = []
  /// What the schema has no place for.
  public var custom: [CustomMetadata] = []

  /// Tensors that belong together, such as the boxes and the scores of detections.
  public struct TensorGroup: Sendable, Hashable {
    /// Its name.
    public var name: String?
    /// The names of the tensors.
    public var tensorNames: [String]

    package init(name: String?, tensorNames: [String]) {
      self.name = name
      self.tensorNames = tensorNames
    }
  }

  /// Named bytes that the schema says nothing about.
  public struct CustomMetadata: Sendable, Hashable {
    /// Its name.
    public var name: String?
    /// What they are is between writer and reader.
    public var bytes: [UInt8]

    package init(name: String?, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }
}

/// What is said about an input or an output.
public struct TensorMetadata: Sendable, Hashable {
  /// Its name.
  public var name: String?
  /// What it is.
  public var description: String?
  /// What its dimensions are called.
  public var dimensionNames: [String] = []
  /// What its numbers are about.
  public var content: TensorContent?
  /// What to do to an input before, to an output afterwards, in this order.
  public var processUnits: [ProcessUnit] = []
  /// The smallest values, one or one per channel.
  public var minimum: [Float] = []
  /// The largest values, one or one per channel.
  public var maximum: [Float] = []
  /// Files that belong to it.
  public var associatedFiles: [AssociatedFileRecord] = []
}
