/// LOGICAL_AND and LOGICAL_OR of two tensors of `bool`.
package enum Logical {
  package static let and = Binary.definition("LOGICAL_AND", [.init(Conjunction())])
  package static let or = Binary.definition("LOGICAL_OR", [.init(Disjunction())])
}

struct Conjunction: BinaryFunction {
  func callAsFunction(_ a: Boolean, _ b: Boolean) -> Boolean { Boolean(a.isTrue && b.isTrue) }
}

struct Disjunction: BinaryFunction {
  func callAsFunction(_ a: Boolean, _ b: Boolean) -> Boolean { Boolean(a.isTrue || b.isTrue) }
}

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
    for chunk in output.chunks(of: input.count) {
      for index in chunk { results[index] = Boolean(!input[index].isTrue) }
    }
  }
}
