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

/// How sums of products of rounded floats and weights become floats, beside what was packed for
/// `SumScaling.hybrid`.
@frozen public struct HybridScaling {
  /// How rows were rounded.
  public var rows: UnsafePointer<RowRounding>
  /// 1 where every row was rounded by itself, 0 where all were rounded like the first.
  public var stride: Int
  /// The lower end of the activation's range; NaN passes.
  public var minimum: Float
  /// The upper end of the activation's range; NaN passes.
  public var maximum: Float

  /// Creates a scaling.
  public init(
    rows: UnsafePointer<RowRounding>, stride: Int, minimum: Float, maximum: Float
  ) {
    self.rows = rows
    self.stride = stride
    self.minimum = minimum
    self.maximum = maximum
  }
}
