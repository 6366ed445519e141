/// An operator that applies one function of two elements to two broadcast operands.
package struct Binary: AxisOrderAgnostic {
  /// The shapes of operands that an operator accepts.
  package enum ShapeRule: Sendable {
    /// Shapes that can be broadcast to a common one.
    case broadcast
    /// Equal shapes only.
    case equal
  }

  private let loop: BinaryLoop
  private let shapeRule: ShapeRule

  /// Makes an operator definition with one function per type, chosen by type alone.
  package static func definition(
    _ name: String, versions: ClosedRange<Int> = 1...1, shapes: ShapeRule = .broadcast,
    resultType: OperatorDefinition.ResultType? = .ofInput(0), _ loops: [BinaryLoop]
  ) -> OperatorDefinition {
    definition(
      name, versions: versions, shapes: shapes, types: loops.map(\.operandType),
      resultType: resultType
    ) { node throws(ModelError) in try loop(in: loops, for: node) }
  }

  /// Makes an operator definition whose function also depends on quantization or options.
  package static func definition(
    _ name: String, versions: ClosedRange<Int> = 1...1, shapes: ShapeRule = .broadcast,
    types: [ElementType], resultType: OperatorDefinition.ResultType? = .ofInput(0),
    choose: @escaping @Sendable (NodeSpec) throws(ModelError) -> BinaryLoop
  ) -> OperatorDefinition {
    OperatorDefinition(name, versions: versions, types: types, resultType: resultType) {
      node throws(ModelError) in
      try node.requireOperands(2)
      return try Binary(try choose(node), shapes, node: node)
    }
  }

  /// Returns the loop for the type of the node's first operand.
  package static func loop(
    in loops: [BinaryLoop], for node: NodeSpec
  ) throws(ModelError) -> BinaryLoop {
    let first = try node.input(0)
    guard let loop = loops.first(where: { $0.operandType == first.type }) else {
      throw node.unsupported("cannot compute with \(first.type.name)")
    }
    return loop
  }

  init(
    _ loop: BinaryLoop, _ shapeRule: ShapeRule = .broadcast, node: NodeSpec
  ) throws(ModelError) {
    let (first, second) = (try node.input(0), try node.input(1))
    try node.require(first.type == second.type, "the inputs have different types")
    try node.require(first, loop.operandType)
    try node.require(try node.output(0), loop.resultType)
    self.loop = loop
    self.shapeRule = shapeRule
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    if shapeRule == .equal {
      try context.require(
        context.shape(0) == context.shape(1), "the inputs have different shapes")
    }
    return [try context.broadcastShape(of: 0..<2)]
  }

  /// Declares every operand ordered except constants of one element.
  ///
  /// A constant of one element means the same in every axis order; a larger constant would have to
  /// be transposed.
  package func operandsInOrder(_ node: NodeSpec) -> [Int]? {
    node.inputs.indices.filter { position in
      guard let input = node.inputs[position], input.isConstant else { return true }
      return !input.shape.isReasonable || input.shape.elementCount != 1
    }
  }

  package func run(_ context: RunContext) throws(ModelError) { try loop.run(context) }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    loop.tuned?.step(context) ?? loop.step?(context)
  }

  package func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step? {
    loop.tuned?.clamped(to: range)?.step(context)
  }
}

/// A type-erased function of two elements that runs on whole operands.
package struct BinaryLoop: Sendable {
  package let operandType: ElementType
  package let resultType: ElementType
  package let run: @Sendable (RunContext) throws(ModelError) -> Void
  /// The same function on the tuned kernels, if they have it.
  package let tuned: BinaryArithmetic?
  /// A step for functions of numbers, with the broadcast loops found when the node is planned.
  let step: (@Sendable (PlanContext) -> Step?)?

  package init(
    operandType: ElementType, resultType: ElementType,
    step: (@Sendable (PlanContext) -> Step?)? = nil,
    run: @escaping @Sendable (RunContext) throws(ModelError) -> Void
  ) {
    self.operandType = operandType
    self.resultType = resultType
    self.run = run
    tuned = nil
    self.step = step
  }

  package init<Function: BinaryFunction>(_ function: Function) {
    operandType = Function.Operand.elementType
    resultType = Function.Result.elementType
    // If the function may object, `step` uses the kernel, after it has checked for objections.
    tuned = function.mayRejectOperands ? nil : function.tuned
    run = { context throws(ModelError) in
      let (first, second, result) = (context.input(0), context.input(1), context.output(0))
      if function.mayRejectOperands {
        let operands = second.values(Function.Operand.self)
        for chunk in second.chunks(of: operands.count) {
          let operands = UnsafeBufferPointer(rebasing: operands[chunk])
          if let objection = function.objection(to: operands) { throw context.error(objection) }
        }
        // Without this check, elements that were not looked at could be zero divisors.
        try context.checkpoint()
      }
      function.apply(first, second, to: result)
    }
    step = { context in function.step(context) }
  }
}

extension BinaryFunction {
  /// Returns a step that does not accept operands to which the function objects.
  func step(_ context: PlanContext) -> Step? {
    guard mayRejectOperands else { return plainStep(context) }
    guard let divisorCount = context.inputShapes[1]?.elementCount,
      var step = tuned?.step(context) ?? plainStep(context)
    else { return nil }
    step.accepts = { step in
      let divisors = step.input(1).assumingMemoryBound(to: Operand.self)
      var seen = 0
      var isAccepted = true
      step.workers.forEachSlice(of: 0..<divisorCount, length: Step.longestSlice) { slice in
        let divisors = UnsafeBufferPointer(start: divisors + slice.lowerBound, count: slice.count)
        isAccepted = isAccepted && objection(to: divisors) == nil
        seen = slice.upperBound
      }
      // If the run was stopped, elements that were not looked at could be zero divisors.
      return isAccepted && seen == divisorCount
    }
    return step
  }

  /// Returns the reference loops as a step, with the broadcast loops found in advance: small
  /// operands take less time than finding them.
  private func plainStep(_ context: PlanContext) -> Step? {
    guard let first = context.inputShapes[0], let second = context.inputShapes[1] else {
      return nil
    }
    let loops = BroadcastLoops(first, second, to: context.outputShapes[0])
    return Step(kernelName: "loops \(Operand.elementType.name)") { step in
      apply(loops, step.input(0), step.input(1), to: step.output(0)) { step.workers.isOver }
    }
  }
}
