/// TRANSPOSE: the axes in another order.
package struct Transpose: Rearrangement {
  package static let definition = OperatorDefinition(
    "TRANSPOSE", versions: 1...9, types: ElementType.upTo64Bits + [.int4],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32)
  }

  /// The source axis of each axis of the result.
  private func permutation(_ context: ShapeContext) throws(ModelError) -> [Int] {
    let rank = context.shape(0).rank
    try context.require(rank <= 8, "has more than 8 dimensions")
    var permutation = try context.integers(1)
    try context.require(
      permutation.count == rank, "\(permutation.count) axes are named for \(rank) dimensions")
    for position in permutation.indices {
      permutation[position] = try context.axis(permutation[position], rank: rank)
    }
    try context.require(Set(permutation).count == rank, "\(permutation) names an axis twice")
    return permutation
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    return [Shape(try permutation(context).map { input[$0] })]
  }

  package func moves(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementMove] {
    let strides = operands.shape(0).strides
    let source = StridedCopy.Layout(strides: try permutation(operands).map { strides[$0] })
    let copy = StridedCopy(
      extents: results[0].dimensions, source: source, destination: .init(results[0]))
    return [ElementMove(from: .input(0), copy)]
  }
}
