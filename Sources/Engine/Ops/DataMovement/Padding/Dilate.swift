/// DILATE: a tensor with a value between its elements, along every axis.
package struct Dilate: Rearrangement {
  package static let definition = OperatorDefinition("DILATE", types: ElementType.upTo64Bits) {
    node throws(ModelError) in try Self(node)
  }

  package let shapeInputs = [1]
  package let background: Background? = .input(2)

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    let input = try node.input(0)
    try node.requireSameType(input, try node.output(0))
    try node.requireSameType(input, try node.input(2))
    try node.require(try node.input(1), .int32)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank > 0, "takes no scalar")
    try context.require(context.shape(2).elementCount > 0, "the value to put in is missing")
    let paddings = try paddings(context)
    return [Shape(zip(paddings, shape.dimensions).map { $0.padded($1) })]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let copy = try paddings(operands).placing(operands.shape(0), in: results[0])
    return [ElementCopy(from: .input(0), copy)]
  }

  private func paddings(_ context: ShapeContext) throws(ModelError) -> [AxisPadding] {
    let dilations = try context.integers(1)
    try context.require(
      context.shape(1).rank == 1 && dilations.count == context.shape(0).rank
        && dilations.allSatisfy { $0 >= 1 }, "the dilations \(dilations) do not fit")
    return dilations.map { AxisPadding(interior: $0 - 1) }
  }
}
