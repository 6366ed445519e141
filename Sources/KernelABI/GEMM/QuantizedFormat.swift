/// The encoding of a quantized tensor's numbers as bytes: `scale · (byte - zeroPoint)`.
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

/// The requantization of 32-bit sums to the elements of the output.
public enum SumScaling {
  /// No requantization: the sums themselves, as `Int32`.
  case sums
  /// A 31-bit multiplier and a shift (positive: to the left) per column, rounding twice like the
  /// official runtime's `MultiplyByQuantizedMultiplier`.
  case fixedPoint(multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>)
  /// A factor in double precision per column, rounded once, half away from zero, like the reference
  /// FULLY_CONNECTED; results that do not fit 32 bits become `Int32.min`.
  case real(multipliers: UnsafePointer<Double>)
  /// A factor in single precision per column, as in XNNPACK: the sum and its product are rounded to
  /// single precision, and the product to the nearest integer, half to even.
  case single(multipliers: UnsafePointer<Float>)
  /// Dequantization to floats: the scale of each column's weights, and biases or `nil` for zeros.
  ///
  /// The scales of the inputs are known only when the kernel runs: see `HybridScaling`.
  case hybrid(scales: UnsafePointer<Float>, bias: UnsafePointer<Float>?)
}

/// The zero point and the range of the output bytes.
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
