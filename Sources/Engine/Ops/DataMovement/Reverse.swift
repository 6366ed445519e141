/// REVERSE_V2: adjacent axes backwards.
package struct Reverse: Rearrangement {
  package static let definition = OperatorDefinition(
    "REVERSE_V2", versions: 1...4,
    types: [.int32, .float32, .uint8, .int8, .int16, .int64, .bool, .float16, .bfloat16],
    make: { node throws(ModelError) in try Self(node) })

  package let placingInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (shape, axes) = (context.shape(0), context.shape(1))
    try context.require(axes.rank == 1, "the axes are no vector")
    try context.require(
      shape.rank <= 8 && axes.elementCount <= shape.rank,
      "reverses \(axes.elementCount) of \(shape.rank) dimensions")
    return [shape]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let shape = results[0]
    var axes: [Int] = []
    for axis in try operands.integers(1) { axes.append(try operands.axis(axis, rank: shape.rank)) }
    axes.sort()
    try operands.require(
      zip(axes, axes.dropFirst()).allSatisfy { $0 + 1 == $1 }, "the axes \(axes) are apart")
    var source = StridedCopy.Layout(shape)
    for axis in axes {
      source.offset += (shape[axis] - 1) * source.strides[axis]
      source.strides[axis] *= -1
    }
    let copy = StridedCopy(extents: shape.dimensions, source: source, destination: .init(shape))
    return [ElementCopy(from: .input(0), copy)]
  }
}
