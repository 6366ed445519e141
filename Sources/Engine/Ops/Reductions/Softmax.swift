import OcellusKernelABI
import OcellusModelFile
import OcellusPlatform

/// SOFTMAX over the last axis: `exp(beta · x)`, divided by the sum of all of them.
package struct Softmax: Operator {
  package static let definition = OperatorDefinition(
    "SOFTMAX", versions: 1...4, types: [.float32, .float16, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let kernel: Kernel

  package enum Kernel: Sendable {
    case float(beta: Float)
    case bytes(ByteSoftmax)
    case shorts(Int16Softmax)
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    let beta = try node.options(BuiltinOptionsTag.softmax).float(0)
    switch (input.type, output.type) {
    case (.float32, .float32), (.float16, .float16): kernel = .float(beta: beta)
    case (.uint8, .uint8), (.int8, .int8), (.uint8, .int16), (.int8, .int16):
      if output.type == .int8 {
        try node.requireNear(output, AffineScale(scale: 1 / 256, zeroPoint: -128))
      }
      kernel = .bytes(try ByteSoftmax(node, beta: beta))
    case (.int16, .int16):
      try node.requireSymmetric(input)
      try node.requireNear(output, AffineScale(scale: 1 / 32768, zeroPoint: 0))
      kernel = .shorts(try Int16Softmax(node, beta: beta))
    default:
      throw node.unsupported(
        "no results of type \(output.type.name) from \(input.type.name)")
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank >= 1, "a scalar has no axis to take the softmax over")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    switch (kernel, input.type, output.type) {
    case (.float(let beta), .float32, _): Self.float(input, output, beta: beta, as: Float.self)
    case (.float(let beta), _, _): Self.float(input, output, beta: beta, as: Float16.self)
    case (.bytes(let bytes), .uint8, .uint8): bytes.run(input, output, UInt8.self, UInt8.self)
    case (.bytes(let bytes), .uint8, _): bytes.run(input, output, UInt8.self, Int16.self)
    case (.bytes(let bytes), _, .int8): bytes.run(input, output, Int8.self, Int8.self)
    case (.bytes(let bytes), _, _): bytes.run(input, output, Int8.self, Int16.self)
    case (.shorts(let shorts), _, _): shorts.run(input, output)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.node.inputs[0]?.type else { return nil }
    let output = context.node.outputs[0].type
    let shape = context.outputShapes[0]
    switch kernel {
    case .float(let beta) where input == .float32:
      let kernel = context.kernels.elementwise.softmax
      let numerics = context.numerics
      return .rows(of: shape, "softmax float32 \(context.kernels.name)", context) { step, rows, _ in
        let start = rows.lowerBound * shape[-1] * 4
        kernel(
          SoftmaxArguments(
            input: step.input(0) + start, output: step.output(0) + start,
            rowLength: shape[-1], rowCount: rows.count, beta: beta, numerics: numerics))
      }
    // The sums of longer rows may wrap, which only the reference loop does as the official kernel.
    case .bytes(let bytes) where input == output && shape[-1] < 1 << DifferenceScale.sumIntegerBits:
      let softmax = bytes.rows(
        length: shape[-1], isSigned: input == .int8, context.kernels.elementwise.softmaxOfBytes)
      return .rows(
        of: shape, "softmax \(input.name) \(context.kernels.name)",
        scratchByteCount: softmax.scratchByteCount, context
      ) { step, rows, scratch in
        let start = rows.lowerBound * shape[-1]
        softmax.run(
          ByteSoftmaxRows.Rows(
            input: step.input(0) + start, output: step.output(0) + start, count: rows.count,
            scratch: scratch))
      }
    default: return nil
    }
  }

  /// Computes the softmax of floats.
  ///
  /// Exponentials are rounded to the element type before the division, but not before the sum.
  private static func float<Element: FloatElement>(
    _ input: TensorView, _ output: TensorView, beta: Float, as _: Element.Type
  ) {
    input.forEachRow(with: output) { (row: Row<Element>, results: Row<Element>) in
      let maximum = row.folded(from: -Float.greatestFiniteMagnitude, input.control) {
        max($0, $1.single)
      }
      guard let maximum else { return }
      var sum: Float = 0
      for chunk in input.chunks(of: row.count, workOfEach: 4) {
        for index in chunk {
          let exponential = expf((row[index].single - maximum) * beta)
          results[index] = Element(exponential)
          sum += exponential
        }
      }
      for chunk in input.chunks(of: row.count) {
        for index in chunk { results[index] = Element(results[index].single / sum) }
      }
    }
  }
}

extension NodeSpec {
  /// Throws unless the zero point is as given and the scale is within a thousandth.
  fileprivate func requireNear(
    _ tensor: TensorSpec, _ wanted: AffineScale
  ) throws(ModelError) {
    let actual = try affineScale(of: tensor)
    try require(
      actual.zeroPoint == wanted.zeroPoint
        && (actual.scale - wanted.scale).magnitude <= 0.001 * wanted.scale,
      "\(tensor.label) must have the scale \(wanted.scale) and the zero point "
        + "\(wanted.zeroPoint)")
  }
}
