/// How a row of floats was rounded to bytes: `scale · (byte - zeroPoint)`.
@frozen public struct RowRounding: Sendable {
  /// What one step of the bytes stands for.
  public var scale: Float
  /// The byte that stands for zero.
  public var zeroPoint: Int32

  /// Creates the rounding of a row.
  public init(scale: Float, zeroPoint: Int32) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

/// Which of three factors the official kernel of an operator multiplies first: every product is
/// rounded, so that bits depend on it.
public enum HybridOrder: Sendable {
  /// The scales of a row and of a column, and the sum with what that gives.
  case scales
  /// The sum and the scale of a column, and what that gives with the scale of a row.
  case sumAndColumn
}

/// How sums of products of rounded floats and weights become floats, beside what was packed for
/// `SumScaling.hybrid`.
@frozen public struct HybridScaling {
  /// How rows were rounded.
  public var rows: UnsafePointer<RowRounding>
  /// 1 where every row was rounded by itself, 0 where all were rounded like the first.
  public var stride: Int
  /// What is multiplied first.
  public var order: HybridOrder
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float

  /// Creates a scaling.
  public init(
    rows: UnsafePointer<RowRounding>, stride: Int, order: HybridOrder, minimum: Float,
    maximum: Float
  ) {
    self.rows = rows
    self.stride = stride
    self.order = order
    self.minimum = minimum
    self.maximum = maximum
  }
}
