import OcellusModelFile

/// CUMSUM: for every element the sum of those in front of it along an axis.
package struct CumulativeSum: Operator {
  package static let definition = OperatorDefinition(
    "CUMSUM", types: [.float32, .int32, .int64], make: { node throws(ModelError) in try Self(node) }
  )

  /// Whether an element is left out of its own sum.
  private let isExclusive: Bool
  /// Whether the sums run from the end.
  private let isReversed: Bool

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    try node.require(try node.input(1), .int32)
    try node.requireSameType(try node.input(0), try node.output(0))
    let options = node.options(BuiltinOptionsTag.cumsum)
    isExclusive = try options.bool(0)
    isReversed = try options.bool(1)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.require(context.shape(0).rank > 0, "the input is a scalar")
    try context.require(context.shape(1).elementCount == 1, "takes one axis")
    return [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (axis, rank) = (context.input(1).integers[0], context.input(0).shape.rank)
    try context.require((-rank..<rank).contains(axis), "axis \(axis) is out of range")
    let position = axis < 0 ? axis + rank : axis
    switch context.input(0).type {
    case .float32: sum(context, along: position, of: Float.self)
    case .int32: sum(context, along: position, of: Int32.self)
    case .int64: sum(context, along: position, of: Int64.self)
    default: preconditionFailure("a type that the definition does not list")
    }
  }

  private func sum<Element: ReducibleElement>(
    _ context: RunContext, along axis: Int, of _: Element.Type
  ) {
    let shape = context.input(0).shape
    let (input, output) = (
      context.input(0).values(Element.self), context.output(0).values(Element.self)
    )
    let (extent, inner) = (shape[axis], shape.product(of: axis + 1..<shape.rank))
    guard !input.isEmpty else { return }
    let step = isReversed ? -inner : inner
    for block in stride(from: 0, to: input.count, by: extent * inner) {
      var row = isReversed ? block + (extent - 1) * inner : block
      // Rows across the axis, each from the one before, so that memory is read as it lies.
      for index in row..<row + inner {
        output[index] = isExclusive ? .zero : .sum(.zero, input[index])
      }
      for _ in 1..<extent {
        let added = isExclusive ? row : row + step
        row += step
        for index in 0..<inner {
          output[row + index] = .sum(output[row - step + index], input[added + index])
        }
      }
    }
  }
}
