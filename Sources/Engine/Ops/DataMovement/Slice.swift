/// SLICE: a box of the elements, given by its begin and size.
package struct Slice: Rearrangement {
  package static let definition = OperatorDefinition(
    "SLICE", versions: 1...8, types: ElementType.upTo64Bits + [.int4, .string],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1, 2]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32, .int64)
    try node.require(node.input(2), .int32, .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    let (begins, sizes) = (try context.integers(1), try context.integers(2))
    try context.require(
      begins.count == shape.rank && sizes.count == shape.rank,
      "needs a begin and a size for each of \(shape.rank) dimensions")
    var result = shape
    for axis in 0..<shape.rank {
      let (begin, size, extent) = (begins[axis], sizes[axis], shape[axis])
      // A size of -1 means all that is left.
      result[axis] = size == -1 && begin <= extent ? extent - max(begin, 0) : size
      try context.require(
        begin >= 0 && begin <= extent && result[axis] >= 0 && result[axis] <= extent - begin,
        "\(size) elements from \(begin) on are not inside axis \(axis)")
    }
    return [result]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let strides = operands.shape(0).strides
    let offset = zip(try operands.integers(1), strides).reduce(0) { $0 + $1.0 * $1.1 }
    let copy = StridedCopy(
      extents: results[0].dimensions, source: .init(offset: offset, strides: strides),
      destination: .init(results[0]))
    return [ElementCopy(from: .input(0), copy)]
  }
}
