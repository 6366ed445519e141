/// MATRIX_DIAG and MATRIX_SET_DIAG: matrices with a given diagonal, elsewhere zero or unchanged.
package struct MatrixDiagonal: Rearrangement {
  package static let diagonal = definition("MATRIX_DIAG", keepsMatrix: false)
  package static let setDiagonal = definition("MATRIX_SET_DIAG", keepsMatrix: true)

  private static func definition(_ name: String, keepsMatrix: Bool) -> OperatorDefinition {
    OperatorDefinition(
      name, types: [.float32, .int64, .int32, .uint32, .int16, .int8, .uint8],
      resultType: .ofInput(0)
    ) { node throws(ModelError) in try Self(node, keepsMatrix: keepsMatrix) }
  }

  private let keepsMatrix: Bool
  package var background: Background? { keepsMatrix ? nil : .integer(0) }

  private init(_ node: NodeSpec, keepsMatrix: Bool) throws(ModelError) {
    self.keepsMatrix = keepsMatrix
    try node.requireOperands(keepsMatrix ? 2 : 1)
    for position in node.inputs.indices {
      try node.requireSameType(node.input(position), node.output(0))
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    guard keepsMatrix else {
      try context.require(shape.rank >= 1, "the diagonal is a scalar")
      return [Shape(shape.dimensions + [shape[-1]])]
    }
    try context.require(shape.rank >= 2, "takes matrices")
    let diagonal = Shape(shape.dimensions.dropLast(2) + [min(shape[-1], shape[-2])])
    try context.require(context.shape(1) == diagonal, "the diagonal is not \(diagonal)")
    return [shape]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let diagonal = operands.shape(keepsMatrix ? 1 : 0)
    var strides = results[0].strides
    let (column, row) = (strides.removeLast(), strides.removeLast())
    let copy = StridedCopy(
      extents: diagonal.dimensions, source: .init(diagonal),
      destination: .init(strides: strides + [row + column]))
    let move = ElementCopy(from: .input(keepsMatrix ? 1 : 0), copy)
    guard keepsMatrix else { return [move] }
    let whole = StridedCopy(
      extents: results[0].dimensions, source: .init(results[0]), destination: .init(results[0]))
    return [ElementCopy(from: .input(0), whole), move]
  }
}
