import OcellusModelFile

/// GATHER: the slices along an axis at the indices in an operand.
package struct Gather: Operator {
  package static let definition = OperatorDefinition(
    "GATHER", versions: 1...8,
    types: [
      .float32, .float16, .bfloat16, .uint8, .int4, .int8, .int16, .int32, .int64, .bool, .string,
    ], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  private let axis: Int
  private let batchRank: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int64, .int32, .int16)
    let options = node.options(BuiltinOptionsTag.gather)
    axis = try options.integer(0)
    batchRank = try options.integer(1)
  }

  /// Returns the axis and the number of leading axes that both operands share, counted from the
  /// front.
  private func axes(_ context: ShapeContext) throws(ModelError) -> (axis: Int, batchRank: Int) {
    let (shape, indices) = (context.shape(0), context.shape(1))
    let axis = try context.axis(axis, rank: shape.rank)
    let batchRank = batchRank < 0 ? batchRank + indices.rank : batchRank
    try context.require(
      (0...min(axis, indices.rank)).contains(batchRank)
        && shape.dimensions.prefix(batchRank) == indices.dimensions.prefix(batchRank),
      "the operands do not share \(batchRank) dimensions")
    return (axis, batchRank)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (axis, batchRank) = try axes(context)
    let (shape, indices) = (context.shape(0), context.shape(1))
    try context.require(
      shape.rank == 1 || context.node.inputs[0]?.type != .string, "strings must be a vector")
    let dimensions =
      shape.dimensions[..<axis] + indices.dimensions[batchRank...] + shape.dimensions[(axis + 1)...]
    return [Shape(Array(dimensions))]
  }

  /// The mapping from rows of the result to rows of the operand.
  struct RowLayout {
    var axis: Int
    var extent: Int
    /// The number of rows of the result per slice, and of slices per batch.
    var count: Int
    var outer: Int

    func source(of row: Int, _ indices: some RandomAccessCollection<Int>) -> Int {
      let (slice, position) = row.quotientAndRemainder(dividingBy: count)
      let index = indices.index(indices.startIndex, offsetBy: slice / outer * count + position)
      return slice * extent + indices[index]
    }
  }

  func layout(_ context: ShapeContext) throws(ModelError) -> RowLayout {
    let (axis, batchRank) = try axes(context)
    let (shape, indices) = (context.shape(0), context.shape(1))
    return RowLayout(
      axis: axis, extent: shape[axis], count: indices.product(of: batchRank..<indices.rank),
      outer: shape.product(of: batchRank..<axis))
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let layout = try layout(context.operands(valued: []))
    let shape = context.input(0).shape
    let indices = context.input(1).integers
    for chunk in context.chunks(of: indices.count) {
      for place in chunk where !(0..<layout.extent).contains(indices[place]) {
        throw context.error("index \(indices[place]) is not below \(layout.extent)")
      }
    }
    // If the run was stopped, some indices were not checked and must not be used.
    try context.checkpoint()
    try context.gatherRows(length: shape.product(of: (layout.axis + 1)..<shape.rank)) { row in
      layout.source(of: row, indices)
    }
  }
}
