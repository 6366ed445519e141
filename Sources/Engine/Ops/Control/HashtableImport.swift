/// HASHTABLE_IMPORT: fills a table, unless it is filled already.
package struct HashtableImport: Operator {
  package static let definition = OperatorDefinition(
    "HASHTABLE_IMPORT", types: [.resource], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3, outputs: 0)
    try node.require(node.input(0), .resource)
    let (key, value) = (try node.input(1), try node.input(2))
    try node.require(key, .int64, .string)
    try node.require(value, key.type == .int64 ? .string : .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.requireTableHandle()
    try context.require(
      context.shape(1) == context.shape(2), "keys and values have different shapes")
    return []
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let table = try context.lookupTable()
    let (keys, values) = (context.input(1), context.input(2))
    try context.require(table.keyType == keys.type, "the table's keys are \(table.keyType.name)")
    // Models run this before every inference, although once is enough.
    guard !table.isFilled else { return }
    let (texts, integers) = keys.type == .string ? (keys, values) : (values, keys)
    let strings = try context.strings(of: texts)
    try table.fill(integers: integers.values(), strings: strings, context)
  }
}
