import OcellusModelFile

/// HASHTABLE: the resource number of a table, which is made if it does not exist.
package struct Hashtable: Operator {
  package static let definition = OperatorDefinition(
    "HASHTABLE", types: [.resource], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful
  private let name: String
  private let keyType: ElementType

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(0)
    let options = node.options(BuiltinOptionsTag.hashtable)
    name = "table \(try options.integer(0))"
    let key = ElementType(rawValue: try options.integer(1, as: Int8.self))
    let value = ElementType(rawValue: try options.integer(2, as: Int8.self))
    switch (key, value) {
    case (.int64?, .string?): keyType = .int64
    case (.string?, .int64?): keyType = .string
    default: throw node.unsupported("tables lead from int64 to string or back")
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [[1]] }

  package func run(_ context: RunContext) throws(ModelError) {
    let identifier = context.resources.identifier(named: name)
    if context.resources.isEmpty(identifier) {
      context.resources.set(identifier, to: LookupTable(keyType: keyType))
    }
    context.output(0).values(Int32.self)[0] = Int32(identifier)
  }
}
