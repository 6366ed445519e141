extension Planner {
  /// Computes a node now if its result can never change.
  ///
  /// - Returns: whether it did.
  func fold(_ node: Node, _ context: ShapeContext) throws(ModelError) -> Bool {
    let operation = node.operation
    let readsNoValues = operation.traits.contains(.readsShapesOnly)
    guard !operation.traits.contains(.stateful), readsNoValues || !node.inputs.isEmpty
    else { return false }
    let isConstant = areOperands(of: node) { $0.isConstant }
    guard readsNoValues || isConstant || areOperands(of: node, { $0.isConstant || $0.isKnown })
    else { return false }
    if isConstant && adoptFolded(node) { return true }
    try session.meter.charge(
      multiplyAdds: operation.multiplyAdds(context), at: node.spec)
    for output in node.outputs {
      let count = memory.slots[output].shape?.elementCount ?? 0
      if let byteCount = subgraph.tensors[output].type.byteCount(ofElements: count) {
        try memory.place(output, byteCount: byteCount, isPopulatedEagerly: true)
      }
    }
    try runAhead(node)
    // The result of a computation that was stopped midway must not be kept.
    try session.meter.check()
    for output in node.outputs {
      memory.slots[output].isConstant = isConstant
      memory.slots[output].isKnown = true
    }
    if isConstant {
      session.model.foldedConstants.keep(
        node, in: session.graphForm, node.outputs.map { memory.slots[$0] })
    }
    return true
  }

  /// Returns whether a node has operands and all of them satisfy a condition.
  private func areOperands(of node: Node, _ condition: (TensorSlot) -> Bool) -> Bool {
    node.inputs.contains { $0 >= 0 }
      && node.inputs.allSatisfy { $0 < 0 || condition(memory.slots[$0]) }
  }

  /// Runs a node whose tensors are placed, with its tuned step if that is bit-exact.
  private func runAhead(_ node: Node) throws(ModelError) {
    guard node.operation.traits.contains(.foldsWithStep),
      let step = try? tunedStep(for: node, in: SegmentDraft(nodes: 0..<0)).get(),
      step.scratchByteCount == 0
    else {
      return try node.operation.run(
        RunContext(node: node, memory: memory, session: session, states: NodeStates()))
    }
    let caller = Workers(threadCount: 1, control: session.control)
    withExtendedLifetime(caller) {
      step.body(
        StepContext(
          inputs: node.inputTable, outputs: node.outputTable, addresses: memory.addresses,
          scratch: UnsafeMutableRawPointer(memory.addresses), workers: WorkersReference(caller)))
    }
  }

  /// Adopts the results that another interpreter of the model has folded; returns whether there are
  /// any.
  private func adoptFolded(_ node: Node) -> Bool {
    guard
      let folded = session.model.foldedConstants.results(of: node, in: session.graphForm)
    else { return false }
    for (output, slot) in zip(node.outputs, folded) {
      memory.slots[output] = slot
      memory.addresses[output] = slot.block?.base
    }
    return true
  }
}
