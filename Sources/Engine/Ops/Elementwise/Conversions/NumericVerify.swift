import OcellusModelFile

/// NumericVerify: the differences between dequantized elements and a float reference.
///
/// This is a custom operator that converters insert to debug quantization.
package struct NumericVerify: Operator {
  package static let definition = OperatorDefinition(
    "NumericVerify", types: [.uint8, .int8, .int16, .float16], resultType: .always(.float32),
    make: { node throws(ModelError) in try Self(node) })

  private let dequantization: Dequantization
  /// The largest difference that is not an error, if there is a limit.
  private let limit: Float?

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    let input = try node.input(0)
    try node.require(try node.input(1), .float32)
    try node.require(try node.output(0), .float32)
    dequantization = try Dequantization(of: input, node: node)
    let options = try node.flexOptions()
    let tolerance = Float(options["tolerance"].number)
    // In steps of the quantization. The official kernel treats smaller tolerances as no limit.
    limit =
      options["log_if_failed"].boolean && tolerance >= 0.1
      ? tolerance * input.uniformScale : nil
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(
      context.shape(1).elementCount >= shape.elementCount, "the reference is too small")
    try dequantization.scales?.check(against: shape, context)
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (references, differences) = (
      context.input(1).values(Float.self), context.output(0).values(Float.self)
    )
    try dequantization.apply(context.input(0), to: differences, context)
    // Elements left unwritten by a stopped run would be reported as errors.
    try context.checkpoint()
    for chunk in context.chunks(of: differences.count) {
      for index in chunk {
        differences[index] -= references[index]
        if let limit, differences[index].magnitude > limit {
          throw context.error(
            "element \(index) is off by \(differences[index]), more than \(limit)")
        }
      }
    }
  }
}
