/// BROADCAST_TO: a tensor repeated to a given shape, along axes that are missing or have extent 1.
package struct BroadcastTo: Rearrangement {
  package static let definition = OperatorDefinition(
    "BROADCAST_TO", versions: 2...4,
    types: ElementType.allCases.filter { $0.bitWidth != nil }
  ) { node throws(ModelError) in try Self(node) }

  package let shapeInputs = [1]

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(try node.input(0), try node.output(0))
    try node.require(try node.input(1), .int32, .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let operand = context.shape(0)
    try context.require(context.shape(1).rank == 1, "the shape is no vector")
    let result = Shape(try context.integers(1))
    let newAxes = result.rank - operand.rank
    try context.require(
      newAxes >= 0
        && operand.dimensions.indices.allSatisfy {
          operand[$0] == 1 || operand[$0] == result[newAxes + $0]
        }, "cannot be broadcast to \(result)")
    return [result]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let (operand, result) = (operands.shape(0), results[0])
    var strides = [Int](repeating: 0, count: result.rank)
    for (axis, stride) in operand.strides.enumerated() where operand[axis] != 1 {
      strides[result.rank - operand.rank + axis] = stride
    }
    let copy = StridedCopy(
      extents: result.dimensions, source: .init(strides: strides), destination: .init(result))
    return [ElementCopy(from: .input(0), copy)]
  }
}
