/// A point in a picture, in pixels from its left and upper edge.
///
/// The centre of the first pixel is at (0.5, 0.5).
public struct PixelPoint: Hashable, Sendable {
  /// The distance from the left edge, in pixels.
  public var x: Double
  /// The distance from the upper edge, in pixels.
  public var y: Double

  /// Creates the point `x` pixels from the left edge and `y` pixels from the upper edge.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

extension PixelPoint: Codable {
  /// Reads a list of two numbers.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init(x: try list.decode(Double.self), y: try list.decode(Double.self))
  }

  /// Writes a list of two numbers.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(x)
    try list.encode(y)
  }
}
