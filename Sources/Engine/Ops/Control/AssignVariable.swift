/// ASSIGN_VARIABLE: stores a tensor in a variable.
package struct AssignVariable: Operator {
  package static let definition = OperatorDefinition(
    "ASSIGN_VARIABLE", types: [.resource, .int32],
    make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2, outputs: 0)
    try node.require(node.input(0), .resource, .int32)
    _ = try node.input(1)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.requireVariableHandle()
    return []
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let identifier = try context.resourceIdentifier(0)
    let value = context.input(1)
    let variable = context.resources.resource(identifier, as: ResourceVariable.self)
    try context.require(
      variable != nil || context.resources.isEmpty(identifier),
      "resource \(identifier) is no variable")
    if let variable, variable.block.byteCount == value.bytes.count {
      variable.assign(value)
    } else {
      let block = try context.makeBlock(byteCount: value.bytes.count)
      context.resources.set(identifier, to: ResourceVariable(value, in: block))
    }
  }

  /// Returns a step that copies the value to the variable's memory.
  ///
  /// The reference kernel handles values of another type or shape, which need new memory. The copy
  /// cannot be stopped, since a partial value would remain for later runs.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let tensor = context.node.inputs[1], let shape = context.inputShapes[1],
      let byteCount = tensor.type.byteCount(ofElements: shape.elementCount)
    else { return nil }
    let (resources, type) = (context.resources, tensor.type)
    var step = Step(kernelName: "copy to a variable") { step in
      resources.variable(namedBy: step.input(0))?.block.base.copyMemory(
        from: step.input(1), byteCount: byteCount)
    }
    step.accepts = { step in
      resources.variable(namedBy: step.input(0))?.holds(type, shape) ?? false
    }
    return step
  }
}
