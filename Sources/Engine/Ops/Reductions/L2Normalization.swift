import OcellusModelFile

/// L2_NORMALIZATION: rows along the last axis divided by their Euclidean length.
package struct L2Normalization: Operator {
  package static let definition = OperatorDefinition(
    "L2_NORMALIZATION", versions: 1...2, types: [.float32, .uint8, .int8],
    make: { node throws(ModelError) in try Self(node) })

  private let inputZeroPoint: Int32

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(output, input.type)
    let activation = try FusedActivation(node.options(BuiltinOptionsTag.l2Norm), field: 0)
    guard activation == .none else { throw node.unsupported("takes no fused activation") }
    guard input.type != .float32 else {
      inputZeroPoint = 0
      return
    }
    let wanted = AffineScale(scale: 1 / 128, zeroPoint: input.type == .uint8 ? 128 : 0)
    try node.require(
      try node.affineScale(of: output) == wanted,
      "\(output.label) must have the scale 1/128 and the zero point \(wanted.zeroPoint)")
    inputZeroPoint = Int32(truncatingIfNeeded: try node.affineScale(of: input).zeroPoint)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank >= 1, "a scalar has no axis to normalize along")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    switch input.type {
    case .uint8: normalizeBytes(input, output, as: UInt8.self, headroom: 7)
    case .int8: normalizeBytes(input, output, as: Int8.self, headroom: 0)
    default: Self.normalizeFloats(input, output)
    }
  }

  private static func normalizeFloats(_ input: TensorView, _ output: TensorView) {
    // What keeps a row of zeros from being divided by zero.
    let shortest: Float = 1e-6
    input.forEachRow(with: output) { (row: Row<Float>, results: Row<Float>) in
      let length = max(row.reduce(0) { $0 + $1 * $1 }.squareRoot(), shortest)
      for index in row.indices { results[index] = row[index] / length }
    }
  }

  /// Results have 7 bits behind the point: `headroom` of them the elements are shifted by in
  /// front of the multiplication, the others by the multiplier, which rounds differently.
  private func normalizeBytes<Element: FixedWidthInteger & BitwiseCopyable>(
    _ input: TensorView, _ output: TensorView, as _: Element.Type, headroom: Int
  ) {
    let center = Element.isSigned ? 0 : 128
    input.forEachRow(with: output) { (row: Row<Element>, results: Row<Element>) in
      var squares: Int32 = 0
      for element in row {
        let centered = Int32(truncatingIfNeeded: element) &- inputZeroPoint
        squares &+= centered &* centered
      }
      var inverse = FixedPointMultiplier(inverseSquareRootOf: squares)
      inverse.exponent += 7 - headroom
      for index in row.indices {
        let centered = Int32(truncatingIfNeeded: row[index]) &- inputZeroPoint
        let scaled = inverse.scale(centered &<< Int32(headroom))
        results[index] = Element(clamping: Int(scaled) + center)
      }
    }
  }
}
