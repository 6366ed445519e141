/// SPARSE_TO_DENSE: a tensor of one value, with other values at given indices.
package struct SparseToDense: Operator {
  package static let definition = OperatorDefinition(
    "SPARSE_TO_DENSE", versions: 1...3, types: [.int32, .int64], resultType: .ofInput(2),
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(4)
    try node.require(node.input(0), .int32, .int64)
    try node.require(node.input(1), .int32, .int64)
    try node.require(node.input(2), .int32, .int64, .int8, .uint8, .float32)
    try node.requireSameType(node.input(2), node.input(3))
    try node.requireSameType(node.input(2), node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (indices, values) = (context.shape(0), context.shape(2))
    try context.require(
      context.shape(1).rank == 1 && indices.rank <= 2 && values.rank <= 1
        && context.shape(3).elementCount == 1,
      "the operands have the wrong number of dimensions")
    let result = Shape(try context.integers(1))
    // Indices are tuples in rows, or single numbers.
    try context.require(
      (1...4).contains(result.rank) && result.rank == (indices.rank == 2 ? indices[1] : 1),
      "the indices do not fit the shape \(result)")
    let count = indices.rank == 0 ? 1 : indices[0]
    try context.require(
      values.rank == 0 || values[0] == count, "there are \(values) values for \(count) indices")
    return [result]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    output.fill(withFirstElementOf: context.input(3))
    var indices = context.input(0)
    if indices.shape.rank < 2 { indices.shape = [indices.elementCount, 1] }
    let tuples = try IndexTuples(indices, into: output.shape, context)
    let values = context.input(2)
    let width = output.type.byteWidth ?? 1
    let step = values.shape.rank == 0 ? 0 : width
    guard let source = values.bytes.baseAddress, let target = output.bytes.baseAddress else {
      return
    }
    for chunk in context.chunks(of: tuples.count, workOfEach: 8) {
      for position in chunk {
        (target + tuples.slice(position) * width)
          .copyMemory(from: source + position * step, byteCount: width)
      }
    }
  }
}
