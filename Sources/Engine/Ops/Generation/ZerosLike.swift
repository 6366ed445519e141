/// ZEROS_LIKE: zeros in the shape of another tensor.
package struct ZerosLike: Operator {
  package static let definition = OperatorDefinition(
    "ZEROS_LIKE", types: [.int64, .int32, .float32], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .readsShapesOnly

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    try node.requireSameType(node.input(0), node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    context.output(0).fill(withInteger: 0)
  }
}
