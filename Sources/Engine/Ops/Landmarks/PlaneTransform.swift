/// An affine transformation of the plane: the first two rows of a 4×4 matrix.
///
/// MediaPipe's operators for regions of a face pass such matrices on.
struct PlaneTransform {
  private var x: SIMD4<Float>
  private var y: SIMD4<Float>

  init(_ matrix: TensorView) {
    let values = matrix.values(Float.self)
    x = [values[0], values[1], values[2], values[3]]
    y = [values[4], values[5], values[6], values[7]]
  }

  /// Throws unless an operand is a 4×4 matrix.
  static func require(_ input: Int, of context: ShapeContext) throws(ModelError) {
    let shape = context.shape(input)
    try context.require(
      shape.rank >= 2 && shape[-1] == 4 && shape[-2] == 4 && shape.elementCount == 16,
      "the transformation is no matrix of 4 rows and columns")
  }

  /// Converts the transformation to coordinates of pixel corners instead of pixel centres.
  mutating func convertToPixelCorners() {
    x[3] = Self.shifted(x)
    y[3] = Self.shifted(y)
  }

  /// Computes in double precision, like the constants of MediaPipe.
  private static func shifted(_ row: SIMD4<Float>) -> Float {
    Float(Double(row[3]) + (Double(row[0]) * 0.5 + Double(row[1]) * 0.5 - 0.5))
  }

  /// Transforms a point; the terms are added from left to right.
  func callAsFunction(_ px: Float, _ py: Float) -> (x: Float, y: Float) {
    (Self.product(x, px, py), Self.product(y, px, py))
  }

  private static func product(_ row: SIMD4<Float>, _ px: Float, _ py: Float) -> Float {
    ((row[0] * px + row[1] * py) + row[2] * 0) + row[3]
  }
}
