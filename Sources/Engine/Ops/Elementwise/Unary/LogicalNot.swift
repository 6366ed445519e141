/// LOGICAL_NOT of a tensor of `bool`.
package struct LogicalNot: Operator {
  package static let definition = OperatorDefinition("LOGICAL_NOT", types: [.bool]) {
    node throws(ModelError) in try Self(node)
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    try node.requireSameType(try node.input(0), try node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) -> [Shape] { [context.shape(0)] }

  package func run(_ context: RunContext) {
    let (input, output) = (context.input(0).values(Boolean.self), context.output(0))
    let results = output.values(Boolean.self)
    for index in input.indices { results[index] = Boolean(!input[index].isTrue) }
  }
}
