/// The quantization of a row of floats: `scale · (byte - zeroPoint)`.
@frozen public struct RowQuantization: Sendable {
  /// The difference between the numbers of two neighbouring bytes.
  public var scale: Float
  /// The byte that stands for zero.
  public var zeroPoint: Int32

  /// Creates the quantization of a row.
  public init(scale: Float, zeroPoint: Int32) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

/// The order in which an operator's official kernel multiplies a sum by the scales of its row and
/// its column; every product is rounded, so that the order decides about bits.
public enum HybridOrder: Sendable {
  /// `sum · (rowScale · columnScale)`.
  case scales
  /// `(sum · columnScale) · rowScale`.
  case sumAndColumn
  /// `(sum · rowScale) · columnScale + bias` with a fused multiply-add, as in XNNPACK.
  case sumAndRowFused
}

/// The dequantization of the sums of a hybrid operator, besides the values packed for
/// `SumScaling.hybrid`.
@frozen public struct HybridScaling {
  /// The quantization of the rows.
  public var rows: UnsafePointer<RowQuantization>
  /// 1 if every row has its own quantization, 0 if all rows share the first.
  public var stride: Int
  /// The order of the multiplications.
  public var order: HybridOrder
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float

  /// Creates a scaling.
  public init(
    rows: UnsafePointer<RowQuantization>, stride: Int, order: HybridOrder, minimum: Float,
    maximum: Float
  ) {
    self.rows = rows
    self.stride = stride
    self.order = order
    self.minimum = minimum
    self.maximum = maximum
  }
}
