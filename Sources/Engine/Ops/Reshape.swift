import OcellusModelFile

/// RESHAPE: the same elements in the same order under another shape.
package struct Reshape: Operator {
  package static let definition = OperatorDefinition(
    "RESHAPE", types: ElementType.allCases, make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs: [Int]
  /// The shape in the options, used where no operand gives one.
  private let optionShape: [Int]?

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1...2)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(input.type == output.type, "input and output have different types")
    optionShape = try node.options(BuiltinOptionsTag.reshape).integers(0)
    // The official kernel ignores a shape operand of another rank or type.
    if let shape = node.optionalInput(1), shape.shape.rank == 1, shape.type == .int32 {
      shapeInputs = [1]
    } else {
      shapeInputs = []
      try node.require(optionShape != nil, "has neither a shape operand nor a shape option")
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var extents = shapeInputs.isEmpty ? optionShape ?? [] : context.integers(1)
    // Files of the first converters say [0] where they mean a scalar.
    if shapeInputs.isEmpty, extents == [0] { extents = [] }
    let count = context.shape(0).elementCount
    if let free = extents.firstIndex(of: -1) {
      extents[free] = 1
      let rest = try elementCount(of: extents, context)
      try context.require(
        rest > 0 && count % rest == 0, "\(count) elements do not fit \(extents) with a free extent")
      extents[free] = count / rest
    }
    try context.require(
      try elementCount(of: extents, context) == count, "\(count) elements do not fit \(extents)")
    return [Shape(extents)]
  }

  private func elementCount(
    of extents: [Int], _ context: ShapeContext
  ) throws(ModelError) -> Int {
    let shape = Shape(extents)
    try context.require(shape.isReasonable, "the shape \(shape) is impossible")
    return shape.elementCount
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let input = context.input(0)
    let output =
      input.type == .string
      ? try context.makeOutput(0, shape: context.output(0).shape, byteCount: input.bytes.count)
      : context.output(0)
    input.copyBytes(to: output)
  }
}
