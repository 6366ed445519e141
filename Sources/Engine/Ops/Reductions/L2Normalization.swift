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
    case .uint8: normalizeBytes(input, output, as: UInt8.self)
    case .int8: normalizeBytes(input, output, as: Int8.self)
    default: Self.normalizeFloats(input, output)
    }
  }

  /// The least divisor, which prevents a division by zero for a row of zeros.
  static let shortest: Float = 1e-6

  private static func normalizeFloats(_ input: TensorView, _ output: TensorView) {
    input.forEachRow(with: output) { (row: Row<Float>, results: Row<Float>) in
      guard let squares = row.folded(from: Float(0), input.control, { $0 + $1 * $1 }) else {
        return
      }
      let length = max(squares.squareRoot(), shortest)
      for chunk in input.chunks(of: row.count) {
        for index in chunk { results[index] = row[index] / length }
      }
    }
  }

  // MARK: Bytes

  private func normalizeBytes<Element: FixedWidthInteger & BitwiseCopyable>(
    _ input: TensorView, _ output: TensorView, as _: Element.Type
  ) {
    input.forEachRow(with: output) { (row: Row<Element>, results: Row<Element>) in
      guard let inverse = inverseLength(of: row, input.control) else { return }
      for chunk in input.chunks(of: row.count) {
        for index in chunk {
          let scaled = inverse.scale(number(row[index]))
          results[index] = Element(clamping: Int(scaled) + Self.center(of: Element.self))
        }
      }
    }
  }

  static func center<Element: FixedWidthInteger>(of _: Element.Type) -> Int {
    Element.isSigned ? 0 : 128
  }

  /// Returns the number of fractional bits by which elements are shifted before the multiplication.
  ///
  /// Results have 7 fractional bits. Unsigned elements are shifted before the multiplication;
  /// signed elements leave it to the multiplier, which rounds differently.
  @inline(__always)
  private static func headroom<Element: FixedWidthInteger>(of _: Element.Type) -> Int {
    Element.isSigned ? 0 : 7
  }

  /// Returns the number that is multiplied by the inverse length of its row.
  @inline(__always)
  func number<Element: FixedWidthInteger>(_ element: Element) -> Int32 {
    (Int32(truncatingIfNeeded: element) &- inputZeroPoint)
      &<< Int32(truncatingIfNeeded: Self.headroom(of: Element.self))
  }

  /// - Returns: `nil` if the run is stopped before the last element.
  @inline(__always)
  func inverseLength<Element: FixedWidthInteger>(
    of row: Row<Element>, _ control: RunControl?
  ) -> FixedPointMultiplier? {
    // The compiler vectorizes products of 16-bit numbers.
    let sums = row.folded(from: (0 as Int32, 0 as Int32), control) { sums, element in
      let number = Int32(Int16(truncatingIfNeeded: element))
      return (sums.0 &+ number, sums.1 &+ number &* number)
    }
    guard let (sum, squares) = sums else { return nil }
    // Σ(x - z)² = Σx² - 2z Σx + n z².
    let perElement = inputZeroPoint &* Int32(truncatingIfNeeded: row.count) &- 2 &* sum
    var inverse = FixedPointMultiplier(
      inverseSquareRootOf: squares &+ inputZeroPoint &* perElement)
    inverse.exponent += 7 - Self.headroom(of: Element.self)
    return inverse
  }
}
