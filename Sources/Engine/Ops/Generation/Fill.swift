/// FILL: a tensor with all elements equal to one value.
package struct Fill: Rearrangement {
  package static let definition = OperatorDefinition(
    "FILL", versions: 1...5, types: [.int32, .int64], resultType: .ofInput(1),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [0]
  package let background: Background? = .input(1)

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.require(node.input(0), .int32, .int64)
    let (value, output) = (try node.input(1), try node.output(0))
    try node.require(value, oneOf: ElementType.upTo64Bits + [.string])
    try node.requireSameType(value, output)
    try node.requireSameQuantization(value, output)
    try node.require(
      value.type != .int16 || value.uniformZeroPoint == 0, "int16 needs the zero point 0")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.require(context.shape(0).rank == 1, "the shape is no vector")
    try context.require(context.shape(1).rank == 0, "the value is no scalar")
    return [Shape(try context.integers(0))]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] { [] }
}
