/// An output of a network for decoders, with elements converted to real numbers.
public struct OutputTensor {
  /// The tensor's name in the model.
  public let name: String
  /// The dimensions.
  public let shape: [Int]
  /// Its elements in row-major order; valid while a decoder runs.
  public let values: UnsafeBufferPointer<Float>

  /// Creates an output tensor; `values` must stay valid as long as it is used.
  public init(name: String, shape: [Int], values: UnsafeBufferPointer<Float>) {
    self.name = name
    self.shape = shape
    self.values = values
  }

  /// The number of elements.
  public var count: Int { values.count }

  /// An element by its position in row-major order.
  public subscript(index: Int) -> Float { values[index] }
}

extension OutputTensor {
  /// Returns the same elements as rows of `columns` elements.
  func asRows(of columns: Int) -> OutputTensor {
    OutputTensor(name: name, shape: [count / columns, columns], values: values)
  }
}
