/// A picture as a vector: vectors of similar pictures have similar directions.
public struct Embedding: Hashable, Sendable {
  /// The elements of the vector, as the model outputs them.
  public var values: [Float]

  /// Creates an embedding of the given elements.
  public init(_ values: [Float]) { self.values = values }

  /// The vector scaled to length 1; a vector of length 0 stays as it is.
  public var normalized: Embedding {
    let length = length
    return length > 0 ? Embedding(values.map { Float(Double($0) / length) }) : self
  }

  /// Returns the cosine of the angle between two embeddings.
  ///
  /// It is 1 for the same direction and 0 for orthogonal vectors; `nil` when the numbers of
  /// elements differ or when a vector has length 0.
  public func similarity(to other: Embedding) -> Double? {
    guard values.count == other.values.count, length > 0, other.length > 0 else { return nil }
    let product = zip(values, other.values).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    return product / (length * other.length)
  }

  private var length: Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
  }
}

extension Embedding: Codable {
  /// Reads a list of numbers.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Double].self).map { Float($0) })
  }

  /// Writes a list of numbers, as the command's results contain it.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(values.map { Double($0) })
  }
}
