/// HASHTABLE_SIZE: the number of keys in a table.
package struct HashtableSize: Operator {
  package static let definition = OperatorDefinition(
    "HASHTABLE_SIZE", types: [.resource], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    try node.require(node.input(0), .resource)
    try node.require(node.output(0), .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.requireTableHandle()
    return [[1]]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    context.output(0).values(Int64.self)[0] = Int64(try context.lookupTable().count)
  }
}
