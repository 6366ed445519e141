/// HASHTABLE_FIND: the value in a table for each key, or a default value for missing keys.
package struct HashtableFind: Operator {
  package static let definition = OperatorDefinition(
    "HASHTABLE_FIND", types: [.resource], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    try node.require(node.input(0), .resource)
    let key = try node.input(1)
    try node.require(key, .int64, .string)
    try node.require(node.output(0), key.type == .int64 ? .string : .int64)
    try node.requireSameType(node.input(2), node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.requireTableHandle()
    return [context.shape(1)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let table = try context.lookupTable()
    let (keys, fallback) = (context.input(1), context.input(2))
    try context.require(table.keyType == keys.type, "the table's keys are \(table.keyType.name)")
    try context.require(table.isFilled, "the table was never filled")
    try context.require(fallback.elementCount > 0, "there is no value for keys not found")
    if keys.type == .string {
      let keys = try context.strings(of: keys)
      let output = context.output(0).values(Int64.self)
      let missing = fallback.values(Int64.self)[0]
      var work = StoppableWork(context.control)
      for index in output.indices {
        let key = keys[index]
        if work.isOver(after: 32 + key.count / 4) { return }
        output[index] = table[key] ?? missing
      }
    } else {
      let found = keys.values(Int64.self)
      let missing = try context.strings(of: fallback)[0]
      try context.makeStrings(0, shape: keys.shape) { table[found[$0]] ?? missing }
    }
  }
}
