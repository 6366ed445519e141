/// How the bytes of a quantized tensor stand for numbers: `scale · (byte - zeroPoint)`.
@frozen public struct QuantizedFormat: Sendable {
  /// Whether the bytes are `Int8` rather than `UInt8`.
  public var isSigned: Bool
  /// The byte that stands for zero.
  public var zeroPoint: Int32

  /// Creates a format.
  public init(isSigned: Bool, zeroPoint: Int32) {
    self.isSigned = isSigned
    self.zeroPoint = zeroPoint
  }
}

/// How 32-bit sums become the bytes of the output.
public enum SumScaling {
  /// The sums themselves, as `Int32`.
  case sums
  /// A 31-bit multiplier and a shift (positive: to the left) per column, rounding twice:
  /// `MultiplyByQuantizedMultiplier` of the official runtime.
  case fixedPoint(multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>)
  /// A factor per column in double precision, rounded once, half away from zero: what the
  /// reference FULLY_CONNECTED does. What does not fit 32 bits becomes the lowest number.
  case real(multipliers: UnsafePointer<Double>)
  /// Floats: the factors of each column's weights, and biases or `nil` for zeros. How the inputs
  /// were rounded is known when the kernel runs: see `HybridScaling`.
  case hybrid(scales: UnsafePointer<Float>, bias: UnsafePointer<Float>?)
}

/// The bytes that quantized sums are clamped to after scaling.
@frozen public struct QuantizedRange: Sendable {
  /// The byte that stands for zero, from -128 to 255; added after scaling.
  public var zeroPoint: Int32
  /// The lower end of the activation's range, at least that of the output's type.
  public var minimum: Int32
  /// The upper end of the activation's range, at most that of the output's type.
  public var maximum: Int32

  /// Creates a range.
  public init(zeroPoint: Int32, minimum: Int32, maximum: Int32) {
    self.zeroPoint = zeroPoint
    self.minimum = minimum
    self.maximum = maximum
  }
}
