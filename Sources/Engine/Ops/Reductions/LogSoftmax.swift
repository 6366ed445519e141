import OcellusKernelABI
import OcellusPlatform

/// LOG_SOFTMAX over the last axis: each element less the logarithm of the sum of all exponentials.
package struct LogSoftmax: Operator {
  package static let definition = OperatorDefinition(
    "LOG_SOFTMAX", versions: 1...2, types: [.float32, .uint8, .int8],
    make: { node throws(ModelError) in try Self(node) })

  /// `nil` for floats.
  private let quantized: ByteLogSoftmax?

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(output, input.type)
    if input.type == .float32 {
      quantized = nil
    } else {
      let wanted = AffineScale(scale: 1 / 16, zeroPoint: input.type == .int8 ? 127 : 255)
      try node.require(
        try node.affineScale(of: output) == wanted,
        "\(output.label) must have the scale 1/16 and the zero point \(wanted.zeroPoint)")
      quantized = try ByteLogSoftmax(node)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank >= 1, "a scalar has no axis to take the softmax over")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    switch (quantized, input.type) {
    case (let quantized?, .uint8): quantized.run(input, output, as: UInt8.self)
    case (let quantized?, _): quantized.run(input, output, as: Int8.self)
    default: Self.float(input, output)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    // Only the C library itself has its bits.
    guard quantized == nil, context.numerics == .fast else { return nil }
    let shape = context.outputShapes[0]
    let kernel = context.kernels.elementwise.logSoftmax
    let name = "log softmax float32 \(context.kernels.name)"
    return .rows(of: shape, name, context) { step, rows, _ in
      let start = rows.lowerBound * shape[-1] * 4
      kernel(
        SoftmaxArguments(
          input: step.input(0) + start, output: step.output(0) + start, rowLength: shape[-1],
          rowCount: rows.count, beta: 1))
    }
  }

  private static func float(_ input: TensorView, _ output: TensorView) {
    input.forEachRow(with: output) { (row: Row<Float>, results: Row<Float>) in
      let maximum = row.reduce(-Float.greatestFiniteMagnitude) { max($0, $1) }
      let logarithm = logf(row.reduce(0) { $0 + expf($1 - maximum) })
      for index in row.indices { results[index] = row[index] - maximum - logarithm }
    }
  }
}

/// LOG_SOFTMAX of 8-bit elements; results are sixteenths below the highest integer, which is 0.
private struct ByteLogSoftmax {
  private let scale: DifferenceScale
  /// Brings scaled differences back to the input's integers.
  private let inverse: FixedPointMultiplier
  private let exponentials: [Int32]
  /// What the differences below the greatest element, 0 to 255, are in units of 2⁻²⁶.
  private let scaledDifferences: [Int32]

  init(_ node: NodeSpec) throws(ModelError) {
    scale = try DifferenceScale(node, beta: 1)
    let multiplier = scale.multiplier
    inverse = try node.multiplier(
      Double(1 << (31 - multiplier.exponent)) / Double(multiplier.fraction))
    exponentials = scale.exponentials()
    scaledDifferences = (0...255).map { multiplier.scale(Int32(-$0)) }
  }

  func run<Element: FixedWidthInteger & BitwiseCopyable>(
    _ input: TensorView, _ output: TensorView, as _: Element.Type
  ) {
    // From units of 2⁻²⁶ to sixteenths.
    let shift = 31 - DifferenceScale.integerBits - 4
    input.forEachRow(with: output) { (row: Row<Element>, results: Row<Element>) in
      let maximum = Int(row.max() ?? 0)
      let logarithm = self.logarithm(
        ofSum: DifferenceScale.sum(over: row, below: maximum, exponentials))
      // Smaller differences would not fit in 32 bits once the logarithm is taken off.
      let lowest = max(scale.minimum - 1, Int(inverse.scale(logarithm &+ Int32.min)))
      for index in row.indices {
        let difference = Int(row[index]) - maximum
        guard difference > lowest else {
          results[index] = .min
          continue
        }
        let scaled = scaledDifferences[-difference] &- logarithm
        results[index] = Element(
          clamping: Int(roundingShiftRight(scaled, by: shift)) + Int(Element.max))
      }
    }
  }

  private func logarithm(ofSum sum: Int32) -> Int32 {
    FixedPoint(raw: sum, integerBits: DifferenceScale.sumIntegerBits)
      .naturalLogarithm(integerBits: DifferenceScale.integerBits).raw
  }
}
