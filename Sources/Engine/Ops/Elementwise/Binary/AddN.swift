/// ADD_N: the sum of several tensors of one shape.
package struct AddN: Operator {
  package static let definition = OperatorDefinition(
    "ADD_N", types: [.float32, .int32], resultType: .ofInput(0)
  ) {
    node throws(ModelError) in try Self(node)
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...Int.max)
    let first = try node.input(0)
    for position in node.inputs.indices {
      try node.requireSameType(try node.input(position), first)
    }
    try node.requireSameType(try node.output(0), first)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let first = context.shape(0)
    for position in 1..<context.inputCount {
      try context.require(context.shape(position) == first, "the inputs have different shapes")
    }
    return [first]
  }

  // A file may list one tensor any number of times, so this multiplication may overflow.
  package func multiplyAdds(_ context: ShapeContext) -> Int {
    context.shape(0).elementCount.multipliedReportingOverflow(by: context.inputCount).partialValue
  }

  package func run(_ context: RunContext) {
    context.output(0).type == .float32
      ? add(context, of: Float.self) : add(context, of: Int32.self)
  }

  private func add<Value: PlainArithmetic>(_ context: RunContext, of _: Value.Type) {
    let output = context.output(0)
    context.input(0).copyBytes(to: output)
    let sums = output.values(Value.self)
    for position in 1..<context.inputCount {
      if context.control.isOver { return }
      let terms = context.input(position).values(Value.self)
      for chunk in output.chunks(of: terms.count) {
        for index in chunk { sums[index] = .sum(sums[index], terms[index]) }
      }
    }
  }
}
