/// TRANSPOSE: the axes in another order.
package struct Transpose: Rearrangement {
  package static let definition = OperatorDefinition(
    "TRANSPOSE", versions: 1...9, types: ElementType.upTo64Bits + [.int4],
    make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [1]
  /// The orders of the operand's and the result's axes in memory, if not those of their shapes.
  private var operandOrder: AxisOrder?
  private var resultOrder: AxisOrder?

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.requireSameType(node.input(0), node.output(0))
    try node.require(node.input(1), .int32)
  }

  /// Returns the order that the node's second operand contains, if that is constant.
  static func order(_ node: NodeSpec) -> AxisOrder? {
    guard let axes = node.inputs[1], axes.type == .int32, axes.constant?.count ?? .max <= 8 * 4,
      let values = axes.constantValues(Int32.self)
    else { return nil }
    return AxisOrder(values.map { Int($0) < 0 ? Int($0) + values.count : Int($0) })
  }

  /// Returns the operator for tensors whose axes have other orders in memory.
  func reordered(operand: AxisOrder?, result: AxisOrder?) -> Self {
    var reordered = self
    (reordered.operandOrder, reordered.resultOrder) = (operand, result)
    return reordered
  }

  /// Returns the operand's axis for each axis of the result, both in memory order.
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
    if let resultOrder { permutation = resultOrder.stored(permutation) }
    if let operandOrder { permutation = permutation.map { operandOrder.position(of: $0) ?? $0 } }
    return permutation
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let input = context.shape(0)
    return [Shape(try permutation(context).map { input[$0] })]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let strides = operands.shape(0).strides
    let source = StridedCopy.Layout(strides: try permutation(operands).map { strides[$0] })
    let copy = StridedCopy(
      extents: results[0].dimensions, source: source, destination: .init(results[0]))
    return [ElementCopy(from: .input(0), copy)]
  }
}
