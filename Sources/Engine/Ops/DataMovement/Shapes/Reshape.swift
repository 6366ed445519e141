import OcellusModelFile

/// RESHAPE: the same elements in the same order under another shape.
package struct Reshape: ShapeChange {
  package static let definition = OperatorDefinition(
    "RESHAPE", types: [], make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs: [Int]
  /// The shape in the options, used where no operand gives one.
  private let optionShape: [Int]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1...2)
    try node.requireSameType(node.input(0), node.output(0))
    // Files of the first converters contain [0] for a scalar.
    let shape = try node.options(BuiltinOptionsTag.reshape).integers(0) ?? []
    optionShape = shape == [0] ? [] : shape
    shapeInputs = node.optionalInput(1)?.type == .int32 ? [1] : []
  }

  /// Returns the requested shape; like the official kernel, it ignores an operand of another type
  /// and one that is no vector.
  private func wantedShape(_ context: ShapeContext) throws(ModelError) -> Shape {
    guard !shapeInputs.isEmpty, context.shape(1).rank == 1 else { return Shape(optionShape) }
    return Shape(try context.integers(1))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var wanted = try wantedShape(context)
    let input = context.shape(0)
    if let free = wanted.dimensions.firstIndex(of: -1) {
      wanted[free] = 1
      try context.require(wanted.isReasonable, "the shape \(wanted) is impossible")
      // The official rule: zero extents are ignored, unless they leave no choice.
      wanted[free] =
        input.elementCount == 0 && wanted.elementCount > 0
        ? 0 : input.nonEmptyElementCount / wanted.nonEmptyElementCount
    }
    try context.require(wanted.isReasonable, "the shape \(wanted) is impossible")
    try context.require(
      wanted.elementCount == input.elementCount,
      "\(input.elementCount) elements do not fit the shape \(wanted)")
    return [wanted]
  }
}

extension Shape {
  /// The product of the extents that are not zero.
  fileprivate var nonEmptyElementCount: Int { dimensions.reduce(1) { $0 * max($1, 1) } }
}
