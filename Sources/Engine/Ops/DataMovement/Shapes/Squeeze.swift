import OcellusModelFile

/// SQUEEZE: the same elements without axes of extent 1.
package struct Squeeze: ShapeChange {
  package static let definition = OperatorDefinition(
    "SQUEEZE", versions: 1...2, types: [], make: { node throws(ModelError) in try Self(node) })

  /// The axes to drop; if there are none, all axes of extent 1.
  private let axes: [Int]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    try node.requireSameType(node.input(0), node.output(0))
    axes = try node.options(BuiltinOptionsTag.squeeze).integers(0) ?? []
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank <= 8, "has more than 8 dimensions")
    var isDropped = shape.dimensions.map { axes.isEmpty && $0 == 1 }
    for axis in axes {
      let axis = try context.axis(axis, rank: shape.rank)
      try context.require(shape[axis] == 1, "axis \(axis) of \(shape) is not 1")
      isDropped[axis] = true
    }
    return [Shape(zip(shape.dimensions, isDropped).filter { !$0.1 }.map(\.0))]
  }
}
