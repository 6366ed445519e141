/// The first two rows of a 4×4 matrix, which take points of a plane to others: what MediaPipe's
/// operators hand on for parts of a face.
struct PlaneTransform {
  private var x: SIMD4<Float>
  private var y: SIMD4<Float>

  init(_ matrix: TensorView) {
    let values = matrix.values(Float.self)
    x = [values[0], values[1], values[2], values[3]]
    y = [values[4], values[5], values[6], values[7]]
  }

  /// Throws unless an operand is a matrix of four rows.
  static func require(_ input: Int, of context: ShapeContext) throws(ModelError) {
    let shape = context.shape(input)
    try context.require(
      shape.rank >= 2 && shape[-1] == 4 && shape[-2] == 4 && shape.elementCount == 16,
      "the transformation is no matrix of 4 rows and columns")
  }

  /// The same for coordinates that count the corners of pixels instead of their centres.
  mutating func countCorners() {
    x[3] = Self.shifted(x)
    y[3] = Self.shifted(y)
  }

  /// In double precision, as the original's constants are.
  private static func shifted(_ row: SIMD4<Float>) -> Float {
    Float(Double(row[3]) + (Double(row[0]) * 0.5 + Double(row[1]) * 0.5 - 0.5))
  }

  /// Where a point goes; added up from the left.
  func callAsFunction(_ px: Float, _ py: Float) -> (x: Float, y: Float) {
    (Self.product(x, px, py), Self.product(y, px, py))
  }

  private static func product(_ row: SIMD4<Float>, _ px: Float, _ py: Float) -> Float {
    ((row[0] * px + row[1] * py) + row[2] * 0) + row[3]
  }
}
