/// EXPAND_DIMS: the same elements with an additional axis of extent 1.
package struct ExpandDims: ShapeChange {
  package static let definition = OperatorDefinition(
    "EXPAND_DIMS", types: [], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.requireSameType(input, output)
    try node.requireSameQuantization(input, output)
    try node.require(
      input.type != .int16 || input.uniformZeroPoint == 0, "int16 needs the zero point 0")
    try node.require(node.input(1), .int32, .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    let axes = try context.integers(1)
    try context.require(axes.count == 1, "takes one axis, not \(axes.count)")
    let axis = try context.axis(axes[0], rank: shape.rank + 1)
    var dimensions = shape.dimensions
    dimensions.insert(1, at: axis)
    return [Shape(dimensions)]
  }
}
