import OcellusKernelABI

/// The reason why a node runs its reference kernel.
package enum ReferenceReason: String, Error, Sendable {
  /// The interpreter was told to do so.
  case asked = "as asked"
  /// The operator has no tuned step for these types, shapes and options.
  case noStep = "no tuned step for its types and shapes"
  /// There is nothing to compute.
  case noElements = "no elements"
  /// Two of its operands are the same variable, which it may change while it reads it.
  case sharedState = "two of its states are one"
  /// The results do not fit in the budget, so planning will fail.
  case overBudget = "over the budget"
  /// The shapes of the results are known only after the node has run.
  case madeAtRun = "shapes known when it has run"
}

extension Planner {
  func tunedStep(
    for node: Node, in draft: SegmentDraft
  ) throws(ModelError) -> Result<Step, ReferenceReason> {
    guard let kernels = session.kernels else { return .failure(.asked) }
    let context = planContext(for: node, kernels, session.stepMemory, in: draft)
    // Nothing is prepared for results that will not fit in the budget.
    guard node.outputs.allSatisfy({ memory.byteCount(ofTensor: $0) <= session.account.left })
    else { return .failure(.overBudget) }
    // Loops may begin and end with empty tensors.
    let isEmpty =
      !context.outputShapes.isEmpty && context.outputShapes.allSatisfy { $0.elementCount == 0 }
    if isEmpty, node.operation is any Rearrangement { return .success(.noElements) }
    // A kernel never sees a tensor without elements.
    let hasEmptyOperand = context.inputShapes.contains { $0?.elementCount == 0 }
    guard !context.outputShapes.contains(where: { $0.elementCount == 0 }),
      !hasEmptyOperand || node.operation.traits.contains(.skipsEmptyOperands)
    else { return .failure(.noElements) }
    let variables = node.inputs.filter { $0 >= 0 && memory.subgraph.tensors[$0].isVariable }
    guard variables.count < 2 || Set(variables).count == variables.count else {
      return .failure(.sharedState)
    }
    let step = try node.operation.plan(context)
    try session.stepMemory.check()
    guard let step else { return .failure(.noStep) }
    return .success(step)
  }

  func planContext(
    for node: Node, _ kernels: KernelSet, _ stepMemory: StepMemory, in draft: SegmentDraft
  ) -> PlanContext {
    let slots = memory.slots
    func views(where isWanted: (TensorSlot) -> Bool) -> [TensorView?] {
      node.inputs.map { $0 >= 0 && isWanted(slots[$0]) ? memory.view($0) : nil }
    }
    let constants = views { $0.isConstant }
    // In most nodes no operand is known from shapes alone: then both properties share one array.
    let hasOthers = node.inputs.contains { $0 >= 0 && slots[$0].isKnown && !slots[$0].isConstant }
    return PlanContext(
      node: node.spec, inputShapes: node.inputs.map { $0 < 0 ? nil : slots[$0].shape },
      outputShapes: node.outputs.compactMap { slots[$0].shape },
      constants: constants,
      knownValues: hasOthers ? views { $0.isConstant || $0.isKnown } : constants,
      kernels: kernels, memory: stepMemory,
      threadCount: session.workers.threadCount,
      numerics: node.delegateProcessor.map { .litert($0) } ?? session.numerics,
      multipliesBFloat16: session.multipliesBFloat16, resources: session.resources
    ) { operand in
      guard let position = self.sourcePosition(of: node.inputs[operand], in: draft) else {
        return nil
      }
      let source = draft.steps[position].node
      // One step takes subnormal floats in one way.
      if let treatment = source.takesSubnormalsAsZero, let own = node.takesSubnormalsAsZero,
        treatment != own
      {
        return nil
      }
      return OperandProducer(source.operation) {
        self.planContext(for: source, kernels, stepMemory, in: draft)
      }
    }
  }

  // MARK: Fusing

  /// The number of preceding steps that are searched for a source.
  private static let sourceDistance = 8

  /// Returns the position in the segment of the node that makes a tensor for one reader only.
  ///
  /// Nodes without tuned steps are never fused. Neither are nodes that read variables, which may
  /// change before the reader runs.
  private func sourcePosition(of tensor: Int, in draft: SegmentDraft) -> Int? {
    guard tensor >= 0, subgraph.producers[tensor] >= 0, subgraph.useCounts[tensor] == 1,
      !session.options.runsNodesSeparately
    else { return nil }
    let candidates = draft.steps.indices.suffix(Self.sourceDistance)
    return candidates.last { position in
      // Field by field: a copy of the planned node would retain everything that it refers to.
      let node = draft.steps[position].node
      return node.outputs.count == 1 && node.outputs[0] == tensor
        && draft.steps[position].step != nil && !draft.steps[position].makesOutputs
        && !node.inputs.contains { $0 >= 0 && subgraph.tensors[$0].isVariable }
    }
  }

  /// Returns what a node at a position of a segment could see when it was planned.
  func draft(of draft: SegmentDraft, before position: Int) -> SegmentDraft {
    let earlier = SegmentDraft(nodes: draft.nodes)
    earlier.steps = Array(draft.steps[..<position].suffix(Self.sourceDistance))
    return earlier
  }

  /// Fuses the node that makes `tensor` into its reader.
  ///
  /// - Returns: the reader with the operands of both.
  func fuse(
    _ tensor: Int, at operand: Int, into reader: Node, in draft: SegmentDraft
  ) -> Node {
    guard let position = sourcePosition(of: tensor, in: draft) else {
      preconditionFailure("a step fused an operand that it was not offered")
    }
    let source = draft.steps[position].node
    draft.steps[position].step = .fused
    draft.steps[position].role = .fused(by: reader.spec.index)
    return Node(reader, fusing: source, at: operand)
  }
}
