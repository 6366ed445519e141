/// What can be known of an input or output without looking at its values.
public struct TensorDescription: Sendable {
  /// The tensor's name in its subgraph.
  public let name: String
  /// The name that a signature gives it; the tensor's own where there is no signature.
  public let signatureName: String
  /// The tensor's number in its subgraph.
  public let tensorIndex: Int
  /// The type of its elements.
  public let type: ElementType
  /// Its extents at the moment; those of an output may change with every run.
  public let shape: Shape
  /// The extents with -1 where the caller may choose, if the file says so.
  public let shapeSignature: [Int]?
  /// What its integers stand for, if it is quantized.
  public let quantization: Quantization?
}
