/// The properties of an input or output, without its values.
public struct TensorDescription: Sendable {
  /// The tensor's name in its subgraph.
  public let name: String
  /// The name that a signature gives the tensor; without a signature, the tensor's own name.
  public let signatureName: String
  /// The index of the tensor in its subgraph.
  public let tensorIndex: Int
  /// The type of the elements.
  public let type: ElementType
  /// The current extents; those of an output may change with every run.
  public let shape: Shape
  /// The extents with -1 for those that the caller may choose; `nil` if the file does not say.
  public let shapeSignature: [Int]?
  /// The mapping from the tensor's integers to real numbers, if it is quantized.
  public let quantization: Quantization?
}
