/// DYNAMIC_UPDATE_SLICE: a tensor with a box of it replaced.
///
/// A box that would lie partly outside is moved inside.
package struct DynamicUpdateSlice: Rearrangement {
  package static let definition = OperatorDefinition(
    "DYNAMIC_UPDATE_SLICE", versions: 1...6,
    types: ElementType.upTo64Bits + [.complex128, .int4], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  package let placingInputs = [2]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    try node.requireSameType(node.input(0), node.output(0))
    try node.requireSameType(node.input(0), node.input(1))
    try node.require(node.input(2), .int32, .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (shape, update) = (context.shape(0), context.shape(1))
    try context.require(shape.rank <= 8, "has more than 8 dimensions")
    try context.require(
      context.shape(2).dimensions == [shape.rank], "needs a start for each dimension")
    try context.require(
      update.rank == shape.rank && zip(update.dimensions, shape.dimensions).allSatisfy(<=),
      "the update is larger than the tensor")
    return [shape]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let (shape, update) = (results[0], operands.shape(1))
    let strides = shape.strides
    var offset = 0
    for (axis, start) in try operands.integers(2).enumerated() {
      offset += start.clamped(to: 0...(shape[axis] - update[axis])) * strides[axis]
    }
    let whole = StridedCopy(
      extents: shape.dimensions, source: .init(shape), destination: .init(shape))
    let box = StridedCopy(
      extents: update.dimensions, source: .init(update),
      destination: .init(offset: offset, strides: strides))
    return [ElementCopy(from: .input(0), whole), ElementCopy(from: .input(1), box)]
  }
}
