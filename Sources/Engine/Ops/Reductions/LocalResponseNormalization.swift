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
}
