public import OcellusEngine

/// The observed properties of a tensor.
public struct TensorTrace: Sendable {
  /// The tensor's index in its subgraph.
  public var index: Int
  /// The tensor's name in the file.
  public var name: String
  /// The type of the elements.
  public var type: ElementType
  /// The shape.
  public var shape: Shape
  /// The quantization, if there is one.
  public var quantization: Quantization?
  /// Whether the whole tensor was in memory; a plan may compute it in slices only.
  public var isInMemory = true
  /// The statistics of the elements, if they were requested.
  public var statistics: TensorStatistics?
  /// The `TensorDigest`, if it was requested.
  public var digest: [UInt8]?
  /// The path of the file that holds the tensor, if it was stored.
  public var file: String?
}

/// The observed properties of one execution of a node.
public struct NodeTrace: Sendable {
  /// The subgraph that contains the node.
  public var subgraph: Int
  /// The node's index in the subgraph.
  public var index: Int
  /// The number of earlier executions: more than zero only in called subgraphs.
  public var call: Int
  /// The operator's name in the schema, or the name of a custom operator.
  public var operatorName: String
  /// The version of the operator.
  public var version: Int
  /// The way in which the node was executed.
  public var execution: PlanDescription.Execution
  /// The number of multiply-adds.
  public var multiplyAdds: Int
  /// The duration of the step, without the steps of called subgraphs.
  public var nanoseconds: Int
  /// The operands' tensor indices; -1 for an omitted operand.
  public var inputs: [Int]
  /// The results.
  public var outputs: [TensorTrace]
}
