import OcellusKernelABI

/// Makes plans: infers shapes, folds constants, requests tuned steps from operators, fuses steps
/// and assigns memory.
///
/// It writes only to the memory that it was given, and returns a plan or throws.
struct Planner {
  let memory: TensorMemory
  let session: Session

  var subgraph: Subgraph { memory.subgraph }
  var inference: ShapeInference { ShapeInference(memory: memory, session: session) }

  /// Returns the plan for the input shapes in `memory`, as far as shapes can be known.
  func plan() throws(ModelError) -> Plan {
    Plan(memory).adding(try segment(from: 0, isRunning: false))
  }

  /// Plans from a node on, as far as shapes can be known.
  ///
  /// `isRunning` says that all nodes before `start` have run, so their values may decide shapes.
  func segment(from start: Int, isRunning: Bool) throws(ModelError) -> PlanSegment {
    let packedWeights = session.model.packedWeights
    do {
      let segment = try makeSegment(from: start, isRunning: isRunning)
      packedWeights.packAll()
      return segment
    } catch {
      packedWeights.forgetUnused()
      throw error
    }
  }

  private func makeSegment(
    from start: Int, isRunning: Bool
  ) throws(ModelError) -> PlanSegment {
    let draft = SegmentDraft(nodes: start..<subgraph.nodes.count)
    draft.entryShapes = shapesMadeAtRun(before: start)
    for position in start..<subgraph.nodes.count {
      let node = subgraph.nodes[position]
      // Planning a node takes longer than reading the clock.
      try session.control.look()
      try session.meter.charge(multiplyAdds: 1, at: node.spec)
      guard inference.areShapesKnown(of: node, havingRun: isRunning ? start : nil) else {
        draft.nodes = start..<position
        break
      }
      let context = inference.context(of: node)
      guard let shapes = try inference.shapes(of: node, context) else {
        draft.steps.append(
          PlannedNode(
            node: node, referenceReason: .madeAtRun, multiplyAdds: 0,
            cost: touchedElementCount(of: node), makesOutputs: true))
        draft.nodes = start..<(position + 1)
        break
      }
      try plan(node, context, shapes: shapes, into: draft)
    }
    // The last shapes may come from a loop that was stopped early; they must not be kept then.
    try session.control.look()
    try tune(draft)
    fuseElementwiseSteps(of: draft)
    return try placed(draft)
  }

  private func shapesMadeAtRun(before start: Int) -> [(tensor: Int, shape: Shape)] {
    var shapes: [(tensor: Int, shape: Shape)] = []
    for node in subgraph.nodes[..<start]
    where node.operation.traits.contains(.shapesOutputsAtRun) {
      for output in node.outputs {
        if let shape = memory.slots[output].shape { shapes.append((output, shape)) }
      }
    }
    return shapes
  }

  /// Plans one node whose shapes can be inferred: folds it, or adds it to the segment.
  private func plan(
    _ node: Node, _ context: ShapeContext, shapes: [Shape], into draft: SegmentDraft
  ) throws(ModelError) {
    for (output, shape) in zip(node.outputs, shapes) {
      memory.slots[output] = TensorSlot(shape: shape)
      memory.addresses[output] = nil
    }
    if inference.dependsOnData(node) { draft.dataDependentNodes.append(node) }
    if try fold(node, context) { return draft.foldedNodes.append(node.spec.index) }
    let multiplyAdds = node.operation.multiplyAdds(context)
    let (cost, overflow) = multiplyAdds.addingReportingOverflow(touchedElementCount(of: node))
    var planned = PlannedNode(
      node: node, multiplyAdds: multiplyAdds, cost: overflow ? .max : cost)
    switch try tunedStep(for: node, in: draft) {
    case .success(let step):
      planned.step = step
      if step.isNothing { planned.role = .view }
      if let passed = node.operation as? FusedAwayNode { planned.role = .fused(by: passed.reader) }
    case .failure(let reason): planned.referenceReason = reason
    }
    if let operand = planned.step?.fusedOperand {
      planned.node = fuse(node.inputs[operand], at: operand, into: node, in: draft)
    }
    draft.steps.append(planned)
  }

  /// Returns the number of elements of a node's operands and results, and one for the node itself.
  private func touchedElementCount(of node: Node) -> Int {
    var count = 1
    for input in node.inputs where input >= 0 {
      count += memory.slots[input].shape?.elementCount ?? 0
    }
    for output in node.outputs { count += memory.slots[output].shape?.elementCount ?? 0 }
    return count
  }
}
