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
    guard let quantized else { return Self.float(input, output) }
    if input.type == .uint8 {
      input.forEachRow(with: output) { quantized.run($0, to: $1, of: UInt8.self, input.control) }
    } else {
      input.forEachRow(with: output) { quantized.run($0, to: $1, of: Int8.self, input.control) }
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    if let quantized {
      return context.node.outputs[0].type == .uint8
        ? quantized.step(context, of: UInt8.self) : quantized.step(context, of: Int8.self)
    }
    // Only the C library itself gives bit-exact results.
    guard context.numerics == .fast else { return nil }
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
      let (lowest, control) = (-Float.greatestFiniteMagnitude, input.control)
      guard let maximum = row.folded(from: lowest, control, { max($0, $1) }),
        let sum = row.folded(from: Float(0), control, { $0 + expf($1 - maximum) })
      else { return }
      let logarithm = logf(sum)
      for chunk in input.chunks(of: row.count) {
        for index in chunk { results[index] = row[index] - maximum - logarithm }
      }
    }
  }
}
