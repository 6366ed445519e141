/// An output of a network as decoders read it: real numbers, whatever the model stores.
public struct OutputTensor {
  /// The tensor's name in the model.
  public let name: String
  /// Its extents.
  public let shape: [Int]
  /// Its elements in row-major order; valid while a decoder runs.
  public let values: UnsafeBufferPointer<Float>

  /// The output `name` of this shape, with values that live at least as long as it is used.
  public init(name: String, shape: [Int], values: UnsafeBufferPointer<Float>) {
    self.name = name
    self.shape = shape
    self.values = values
  }

  /// The number of elements.
  public var count: Int { values.count }

  /// One element, by its position in row-major order.
  public subscript(index: Int) -> Float { values[index] }
}
