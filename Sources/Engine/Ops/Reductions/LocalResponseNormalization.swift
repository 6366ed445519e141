import OcellusKernelABI
import OcellusModelFile
import OcellusPlatform

/// LOCAL_RESPONSE_NORMALIZATION: elements divided by a power of the squares around them.
package struct LocalResponseNormalization: Operator {
  package static let definition = OperatorDefinition(
    "LOCAL_RESPONSE_NORMALIZATION", types: [.float32],
    make: { node throws(ModelError) in try Self(node) })

  private let radius: Int
  private let bias: Float
  private let alpha: Float
  private let beta: Float

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    let options = node.options(BuiltinOptionsTag.localResponseNormalization)
    radius = try options.integer(0)
    bias = try options.float(1)
    alpha = try options.float(2)
    beta = try options.float(3)
    try node.require(radius >= 0, "the radius is \(radius)")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank == 4, "the input must have 4 dimensions")
    return [shape]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let shape = context.shape(0)
    return saturatingProduct(shape.elementCount, min(2 * radius + 1, shape[-1]))
  }

  /// Both ends of the window count, as in the default kernel; the reference kernel leaves the
  /// last channel out.
  package func run(_ context: RunContext) throws(ModelError) {
    context.input(0).forEachRow(with: context.output(0)) { (row: Row<Float>, results: Row<Float>) in
      for channel in row.indices {
        let first = max(channel - radius, 0)
        let last = min(channel + radius, row.count - 1)
        var sum: Float = 0
        for neighbor in first...last { sum += row[neighbor] * row[neighbor] }
        results[channel] = row[channel] * powf(bias + alpha * sum, -beta)
      }
    }
  }

  /// The powers by way of logarithms, for all rows of a part at once.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    // Logarithms are those of positive numbers.
    guard context.numerics == .fast, alpha >= 0, bias > 0 else { return nil }
    let shape = context.outputShapes[0]
    let kernels = context.kernels.elementwise
    let exponent = -beta
    return .rows(
      of: shape, "local response normalization float32 \(context.kernels.name)", context
    ) { step, rows, _ in
      let channels = shape[-1]
      let count = rows.count * channels
      let input = step.input(0) + rows.lowerBound * channels * 4
      let output = step.output(0) + rows.lowerBound * channels * 4
      let powers = ElementRow(input: output, output: output, count: count)
      for row in 0..<rows.count {
        addSquares(
          input.assumingMemoryBound(to: Float.self) + row * channels,
          to: output.assumingMemoryBound(to: Float.self) + row * channels, count: channels)
      }
      kernels.mappedFloats(.logarithm, powers)
      withUnsafeBytes(of: exponent) { exponent in
        guard let exponent = exponent.baseAddress else { return }
        kernels.floats(
          .multiply, FloatRange(),
          BinaryRows(
            first: output, second: exponent, output: output, rowLength: count,
            secondIsScalar: true))
      }
      kernels.mappedFloats(.exponential(.fast), powers)
      kernels.floats(
        .multiply, FloatRange(),
        BinaryRows(first: output, second: input, output: output, rowLength: count))
    }
  }

  /// What a power is taken of: the squares around each element, a neighbour of all of them at a time.
  private func addSquares(
    _ row: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, count: Int
  ) {
    for channel in 0..<count { sums[channel] = 0 }
    let reach = min(radius, count - 1)
    for distance in -reach...reach {
      for channel in max(-distance, 0)..<count - max(distance, 0) {
        let neighbor = row[channel + distance]
        sums[channel] += neighbor * neighbor
      }
    }
    for channel in 0..<count { sums[channel] = bias + alpha * sums[channel] }
  }
}
