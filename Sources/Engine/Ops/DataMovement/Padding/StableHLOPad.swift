import OcellusModelFile

/// STABLEHLO_PAD: a tensor with a value around and between its elements, or with some removed.
package struct StableHLOPad: Rearrangement {
  package static let definition = OperatorDefinition(
    "STABLEHLO_PAD", types: ElementType.upTo64Bits
  ) { node throws(ModelError) in try Self(node) }

  package let background: Background? = .input(1)
  private let paddings: [AxisPadding]

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let input = try node.input(0)
    try node.requireSameType(input, try node.input(1))
    try node.requireSameType(input, try node.output(0))
    let options = node.options2(BuiltinOptions2Tag.stablehloPad)
    let low = try options.integers(0, as: Int64.self) ?? []
    let high = try options.integers(1, as: Int64.self) ?? []
    let interior = try options.integers(2, as: Int64.self) ?? []
    try node.require(
      low.count == high.count && low.count == interior.count,
      "has \(low.count) low, \(high.count) high and \(interior.count) interior paddings")
    paddings = low.indices.map {
      AxisPadding(low: low[$0], high: high[$0], interior: interior[$0])
    }
    try node.require(paddings.allSatisfy(\.isReasonable), "the paddings are out of range")
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(
      shape.rank > 0 && shape.rank == paddings.count,
      "has paddings for \(paddings.count) dimensions")
    try context.require(context.shape(1).elementCount == 1, "the padding value is not one element")
    let extents = zip(paddings, shape.dimensions).map { $0.padded($1) }
    // In the official kernel, all extents become zero if one is not positive.
    return [Shape(extents.allSatisfy { $0 > 0 } ? extents : extents.map { _ in 0 })]
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    [ElementCopy(from: .input(0), paddings.placing(operands.shape(0), in: results[0]))]
  }
}
