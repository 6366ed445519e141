public import OcellusEngine

/// What was seen of a tensor.
public struct TensorTrace: Sendable {
  /// Its number in its subgraph.
  public var index: Int
  /// Its name in the file.
  public var name: String
  /// The type of its elements.
  public var type: ElementType
  /// Its extents.
  public var shape: Shape
  /// What its integers stand for, if it is quantized.
  public var quantization: Quantization?
  /// Whether it was there to be looked at; plans may hand tensors on in pieces.
  public var isInMemory = true
  /// What its numbers are like, if that was asked for.
  public var statistics: TensorStatistics?
  /// Its `TensorDigest`, if that was asked for.
  public var digest: [UInt8]?
  /// Where the tensor itself was put, if it was.
  public var file: String?
}

/// What was seen of a node when it ran.
public struct NodeTrace: Sendable {
  /// The subgraph that it stands in.
  public var subgraph: Int
  /// Its position in the subgraph.
  public var index: Int
  /// How often it had run before: more than never only in subgraphs that are called.
  public var call: Int
  /// The schema's name of its operator, or the custom one's.
  public var operatorName: String
  /// The version of the operator.
  public var version: Int
  /// Who did its work.
  public var execution: PlanDescription.Execution
  /// What it multiplied and added.
  public var multiplyAdds: Int
  /// What its step took, without those of subgraphs that it called.
  public var nanoseconds: Int
  /// The operands' numbers, -1 for one that is left out.
  public var inputs: [Int]
  /// The results.
  public var outputs: [TensorTrace]
}
