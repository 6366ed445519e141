import OcellusModelFile

/// SHAPE and RANK: the extents of a tensor, or their number.
package struct ShapeQuery: Operator {
  package static let shape = OperatorDefinition("SHAPE", types: []) { node throws(ModelError) in
    try Self(shape: node)
  }
  package static let rank = OperatorDefinition("RANK", types: [], resultType: .always(.int32)) {
    node throws(ModelError) in
    try Self(rank: node)
  }

  package let traits: OperatorTraits = .readsShapesOnly
  let asksForRank: Bool

  private init(shape node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    _ = try node.input(0)
    asksForRank = false
    let type = try node.options(BuiltinOptionsTag.shape).integer(0, as: Int8.self)
    try node.require(node.output(0), .int32, .int64)
    try node.require(
      type == node.output(0).type.rawValue, "the output's type is not the one in the options")
  }

  private init(rank node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    _ = try node.input(0)
    asksForRank = true
    try node.require(node.output(0), .int32)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [asksForRank ? [] : [context.shape(0).rank]]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let shape = context.input(0).shape
    let values = asksForRank ? [shape.rank] : shape.dimensions
    let output = context.output(0)
    for (position, value) in values.enumerated() {
      if output.type == .int64 {
        output.values(Int64.self)[position] = Int64(value)
      } else {
        output.values(Int32.self)[position] = Int32(value)
      }
    }
  }
}
