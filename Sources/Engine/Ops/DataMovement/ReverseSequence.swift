import OcellusModelFile

/// REVERSE_SEQUENCE: the first elements along an axis backwards, with a length for each batch item.
package struct ReverseSequence: Operator {
  package static let definition = OperatorDefinition(
    "REVERSE_SEQUENCE", types: [.int32, .float32, .uint8, .int16, .int64],
    make: { node throws(ModelError) in try Self(node) })

  private let axis: Int
  private let batchAxis: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32, .int64)
    let options = node.options(BuiltinOptionsTag.reverseSequence)
    axis = try options.integer(0)
    batchAxis = try options.integer(1)
    try node.require(
      axis >= 0 && batchAxis >= 0 && axis != batchAxis, "cannot reverse axis \(axis) along itself")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(max(axis, batchAxis) < shape.rank, "has no axis \(max(axis, batchAxis))")
    try context.require(
      context.shape(1).dimensions == [shape[batchAxis]], "needs a length for each batch item")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    let shape = input.shape
    let strides = shape.strides
    let lengths = context.input(1).integers
    for item in lengths.indices {
      try context.checkpoint()
      let wanted = lengths[item]
      try context.require(wanted <= shape[axis], "length \(wanted) is larger than \(shape[axis])")
      let length = max(wanted, 0)
      let offset = item * strides[batchAxis]
      copy(from: offset + (length - 1) * strides[axis], step: -1, to: offset, count: length)
      let rest = offset + length * strides[axis]
      copy(from: rest, step: 1, to: rest, count: shape[axis] - length)
    }

    /// Copies `count` slices of one batch item.
    func copy(from source: Int, step: Int, to destination: Int, count: Int) {
      var extents = shape.dimensions
      extents[batchAxis] = 1
      extents[axis] = count
      var sourceStrides = strides
      sourceStrides[axis] *= step
      StridedCopy(
        extents: extents, source: .init(offset: source, strides: sourceStrides),
        destination: .init(offset: destination, strides: strides)
      ).run(
        from: input.bytes.baseAddress, to: output.bytes.baseAddress,
        elementWidth: input.type.byteWidth ?? 1, context.control)
    }
  }
}
