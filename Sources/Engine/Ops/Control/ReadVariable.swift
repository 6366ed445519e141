/// READ_VARIABLE: the tensor that was last assigned to a variable.
package struct ReadVariable: Operator {
  package static let definition = OperatorDefinition(
    "READ_VARIABLE", types: [.resource, .int32],
    make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits
  /// The shape in the file, or `nil` if it is unknown; a scalar may mean either.
  private let shape: Shape?

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    try node.require(node.input(0), .resource, .int32)
    let output = try node.output(0)
    let isOpen = output.shape.rank == 0 || output.shapeSignature?.contains(-1) == true
    shape = isOpen ? nil : output.shape
    traits = isOpen ? [.stateful, .shapesOutputsAtRun] : .stateful
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.requireVariableHandle()
    return [shape ?? []]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let identifier = try context.resourceIdentifier(0)
    guard
      let variable = context.resources.resource(identifier, as: ResourceVariable.self)
    else { throw context.error("no variable was assigned to resource \(identifier)") }
    let value = variable.value
    let type = context.output(0).type
    try context.require(
      value.type == type, "the variable is \(value.type.name), the output \(type.name)")
    if shape == nil || type == .string {
      try context.require(
        shape == nil || shape?.elementCount == value.elementCount,
        "the variable's shape is \(value.shape)")
      try context.makeOutput(0, copying: value)
    } else {
      // As in the official runtime, a result with a fixed shape keeps it if the variable has more
      // elements, for example after an input was resized.
      let output = context.output(0)
      try context.require(
        output.bytes.count <= value.bytes.count, "the variable's shape is \(value.shape)")
      guard let source = value.bytes.baseAddress else { return }
      output.bytes.baseAddress?.copyMemory(
        from: source, byteCount: output.bytes.count, unless: context.control.isOver)
    }
  }

  /// Returns a step that copies the variable, for results with a fixed shape.
  ///
  /// The reference kernel reports variables that do not fit.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let shape, shape == context.outputShapes[0] else { return nil }
    let type = context.node.outputs[0].type
    guard let byteCount = type.byteCount(ofElements: shape.elementCount) else { return nil }
    let resources = context.resources
    var step = Step(kernelName: "copy of a variable") { step in
      guard let variable = resources.variable(namedBy: step.input(0)) else { return }
      step.output(0).copyMemory(
        from: variable.block.base, byteCount: byteCount, unless: step.workers.isOver)
    }
    step.accepts = { step in
      guard let value = resources.variable(namedBy: step.input(0))?.value else { return false }
      return value.type == type && value.bytes.count >= byteCount
    }
    return step
  }
}
