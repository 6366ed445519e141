/// TILE: a tensor repeated along every axis.
package struct Tile: Rearrangement {
  package static let definition = OperatorDefinition(
    "TILE", versions: 1...3, types: ElementType.upTo64Bits + [.string],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32, .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var shape = context.shape(0)
    let counts = try context.integers(1)
    try context.require(
      counts.count == shape.rank, "gives \(counts.count) counts for \(shape.rank) dimensions")
    for axis in 0..<shape.rank {
      try context.require(counts[axis] >= 0, "repeats axis \(axis) \(counts[axis]) times")
      shape[axis] = try context.product(shape[axis], counts[axis])
    }
    return [shape]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let shape = operands.shape(0)
    let (inputStrides, outputStrides) = (shape.strides, results[0].strides)
    var extents: [Int] = []
    var source = StridedCopy.Layout(strides: [])
    var destination = StridedCopy.Layout(strides: [])
    for (axis, count) in try operands.integers(1).enumerated() {
      extents += [count, shape[axis]]
      source.strides += [0, inputStrides[axis]]
      destination.strides += [shape[axis] * outputStrides[axis], outputStrides[axis]]
    }
    let copy = StridedCopy(extents: extents, source: source, destination: destination)
    return [ElementCopy(from: .input(0), copy)]
  }
}
