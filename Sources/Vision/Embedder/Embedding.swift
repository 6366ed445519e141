/// A picture as a list of numbers: pictures of like things have lists in like directions.
public struct Embedding: Hashable, Sendable {
  /// The numbers, as the model gives them.
  public var values: [Float]

  /// These numbers.
  public init(_ values: [Float]) { self.values = values }

  /// The same direction at length 1; as it is when its length is 0.
  public var normalized: Embedding {
    let length = length
    return length > 0 ? Embedding(values.map { Float(Double($0) / length) }) : self
  }

  /// The cosine of the angle between both: 1 for the same direction, 0 for nothing in common; `nil`
  /// when they are of different lengths, or one is nothing but zeros.
  public func similarity(to other: Embedding) -> Double? {
    guard values.count == other.values.count, length > 0, other.length > 0 else { return nil }
    let product = zip(values, other.values).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    return product / (length * other.length)
  }

  private var length: Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
  }
}
