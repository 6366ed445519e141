import OcellusModelFile
import OcellusPlatform

/// Landmarks2TransformMatrix: a matrix that maps pixels of a small image to the box around some
/// landmarks.
///
/// The box is rotated like the line between two landmarks. This is a custom operator of MediaPipe,
/// for regions of a face that have their own networks.
package struct LandmarksToTransformMatrix: Operator {
  package static let definition = OperatorDefinition(
    "Landmarks2TransformMatrix", versions: 2...2, types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  /// The landmarks that define a line, which should get the rotation `wantedRotation`.
  private let left: Int
  private let right: Int
  private let wantedRotation: Float
  /// The landmarks that the box encloses.
  private let subset: [Int]
  /// The size of the small image.
  private let size: (width: Int, height: Int)
  /// The factors by which the box is enlarged.
  private let scale: (x: Float, y: Float)

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    let options = try node.flexOptions()
    left = Int(options["left_rotation_idx"].integer)
    right = Int(options["right_rotation_idx"].integer)
    wantedRotation = Float(options["target_rotation_radians"].number)
    size = (Int(options["output_width"].integer), Int(options["output_height"].integer))
    scale = (Float(options["scale_x"].number), Float(options["scale_y"].number))
    guard case .vector(let indices) = options["subset_idxs"] else {
      throw node.error("subset_idxs is missing")
    }
    // The indices are read in pairs.
    subset = indices.prefix(indices.count / 2 * 2).map { Int($0.integer) }
    try node.require(
      size.width > 0 && size.height > 0 && scale.x > 0 && scale.y > 0,
      "an image of \(size.width)x\(size.height) pixels, scaled by \(scale), is impossible")
    try node.require(
      !subset.isEmpty && ([left, right] + subset).allSatisfy { $0 >= 0 },
      "the landmarks wanted have no such numbers")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(
      shape.rank == 3 && shape[0] == 1 && shape[2] == 3, "the input must be points in space")
    let last = max(left, right, subset.max() ?? 0)
    try context.require(last < shape[1], "there is no landmark \(last) among \(shape[1])")
    return [[1, 4, 4]]
  }

  package func run(_ context: RunContext) {
    let points = context.input(0).values(Float.self)
    func point(_ index: Int) -> (x: Float, y: Float) {
      (points[3 * index], points[3 * index + 1])
    }
    let (first, second) = (point(left), point(right))
    let rotation = wantedRotation - atan2f(second.y - first.y, second.x - first.x)
    let rotate = Rotation(rotation), inverse = Rotation(-rotation)
    var box = Bounds(around: rotate(point(subset[0])))
    for index in subset.dropFirst() { box.include(rotate(point(index))) }

    let center = inverse(box.center)
    let (scaleX, scaleY) = (
      scale.x * box.width / Float(size.width), scale.y * box.height / Float(size.height)
    )
    // Moves the centre of the image to the origin, then scales, rotates back and moves to the box.
    var matrix = Matrix4.identity
    matrix = matrix * Matrix4.shift(center.x, center.y)
    matrix = matrix * Matrix4.plane(inverse.cosine, -inverse.sine, inverse.sine, inverse.cosine)
    matrix = matrix * Matrix4.plane(scaleX, 0, 0, scaleY)
    matrix = matrix * Matrix4.shift(-Float(size.width) / 2, -Float(size.height) / 2)
    _ = context.output(0).values(Float.self).update(fromContentsOf: matrix.elements)
  }
}

/// A rotation of the plane.
private struct Rotation {
  let cosine: Float
  let sine: Float

  init(_ angle: Float) { (cosine, sine) = (cosf(angle), sinf(angle)) }

  func callAsFunction(_ point: (x: Float, y: Float)) -> (x: Float, y: Float) {
    (cosine * point.x + -sine * point.y, sine * point.x + cosine * point.y)
  }
}

/// The smallest axis-aligned box around some points.
private struct Bounds {
  private var minimum: (x: Float, y: Float)
  private var maximum: (x: Float, y: Float)

  init(around point: (x: Float, y: Float)) { (minimum, maximum) = (point, point) }

  mutating func include(_ point: (x: Float, y: Float)) {
    if maximum.x < point.x { maximum.x = point.x }
    if maximum.y < point.y { maximum.y = point.y }
    if minimum.x > point.x { minimum.x = point.x }
    if minimum.y > point.y { minimum.y = point.y }
  }

  var width: Float { maximum.x - minimum.x }
  var height: Float { maximum.y - minimum.y }
  var center: (x: Float, y: Float) {
    ((minimum.x + maximum.x) / 2, (minimum.y + maximum.y) / 2)
  }
}

/// A 4×4 matrix in row-major order.
private struct Matrix4 {
  var elements: [Float]

  static let identity = plane(1, 0, 0, 1)

  /// Returns a matrix that changes only the first two coordinates.
  static func plane(_ xx: Float, _ xy: Float, _ yx: Float, _ yy: Float) -> Matrix4 {
    Matrix4(elements: [xx, xy, 0, 0, yx, yy, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  }

  static func shift(_ x: Float, _ y: Float) -> Matrix4 {
    Matrix4(elements: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0, 0, 0, 0, 1])
  }

  static func * (a: Matrix4, b: Matrix4) -> Matrix4 {
    var product = Matrix4(elements: .init(repeating: 0, count: 16))
    for row in 0..<4 {
      for column in 0..<4 {
        for index in 0..<4 {
          product.elements[4 * row + column] +=
            a.elements[4 * row + index] * b.elements[4 * index + column]
        }
      }
    }
    return product
  }
}
