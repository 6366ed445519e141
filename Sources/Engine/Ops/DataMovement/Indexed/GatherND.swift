/// GATHER_ND: the slices at the tuples of indices in an operand.
package struct GatherND: Operator {
  package static let definition = OperatorDefinition(
    "GATHER_ND", versions: 1...6,
    types: [
      .bfloat16, .float16, .float32, .uint8, .int8, .int16, .int64, .int32, .string, .bool,
    ], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int64, .int32, .int16)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (shape, indices) = (context.shape(0), context.shape(1))
    try context.require(shape.rank >= 1 && indices.rank >= 1, "takes no scalars")
    try context.require(indices[-1] <= shape.rank, "has more indices than dimensions")
    try context.require(
      shape.elementCount > 0 || indices.elementCount == 0, "there is nothing to gather")
    return [Shape(indices.dimensions.dropLast() + shape.dimensions.dropFirst(indices[-1]))]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let tuples = try IndexTuples(context.input(1), into: context.input(0).shape, context)
    try context.gatherRows(length: tuples.sliceLength) { tuples.slice($0) }
  }
}
