import OcellusKernelABI

extension SubgraphRunner {
  /// Plans from a node on, as far as shapes can be known.
  ///
  /// `isRunning` says that all nodes in front of `start` have run, so that their values may
  /// decide shapes.
  func planSegment(from start: Int, isRunning: Bool) throws(ModelError) -> PlanSegment {
    let segment = PlanSegment(nodes: start..<subgraph.nodes.count)
    segment.entryShapes = shapesMadeAtRun(before: start)
    var isCut = false
    for position in start..<subgraph.nodes.count where !isCut {
      let node = subgraph.nodes[position]
      try session.meter.check()
      guard areShapesKnown(of: node, planningFrom: start, isRunning: isRunning) else {
        segment.nodes = start..<position
        break
      }
      let context = shapeContext(of: node)
      if let shapes = try inferShapes(of: node, context) {
        try plan(node, context, shapes: shapes, into: segment)
      } else {
        segment.plannedNodes.append(.init(node: node, multiplyAdds: 0, makesOutputs: true))
        segment.nodes = start..<(position + 1)
        isCut = true
      }
    }
    chainElementwiseSteps(of: segment)
    try placeTensors(of: segment)
    segment.calls = StepCalls(segment.plannedNodes, bases: bases, workers: session.workers)
    return segment
  }

  private func shapesMadeAtRun(before start: Int) -> [(tensor: Int, shape: Shape)] {
    var shapes: [(tensor: Int, shape: Shape)] = []
    for node in subgraph.nodes[..<start]
    where node.operation.traits.contains(.shapesOutputsAtRun) {
      for output in node.outputs {
        if let shape = slots[output].shape { shapes.append((output, shape)) }
      }
    }
    return shapes
  }

  private func areShapesKnown(
    of node: Node, planningFrom start: Int, isRunning: Bool
  ) -> Bool {
    node.operation.shapeInputs.allSatisfy { position in
      guard position < node.inputs.count, node.inputs[position] >= 0 else { return true }
      let tensor = node.inputs[position]
      return slots[tensor].isConstant || slots[tensor].isKnown
        || (isRunning && subgraph.producers[tensor] < start)
    }
  }

  /// Plans one node whose shapes can be inferred: folds it, or adds it to the segment.
  private func plan(
    _ node: Node, _ context: ShapeContext, shapes: [Shape], into segment: PlanSegment
  ) throws(ModelError) {
    for (output, shape) in zip(node.outputs, shapes) {
      slots[output] = TensorSlot(shape: shape)
      bases[output] = nil
    }
    if dependsOnData(node) { segment.dataDependentNodes.append(node) }
    if try fold(node, context) { return }
    let multiplyAdds = node.operation.multiplyAdds(context)
    let (cost, overflow) = multiplyAdds.addingReportingOverflow(touchedElementCount(of: node))
    var planned = PlanSegment.PlannedNode(
      node: node, step: try tunedStep(for: node, in: segment), multiplyAdds: multiplyAdds,
      cost: overflow ? .max : cost)
    if let operand = planned.step?.absorbedOperand {
      planned.node = absorb(node.inputs[operand], at: operand, into: node, in: segment)
    }
    segment.plannedNodes.append(planned)
  }

  /// The elements of a node's operands and results.
  private func touchedElementCount(of node: Node) -> Int {
    var count = 0
    for tensor in node.inputs where tensor >= 0 { count += slots[tensor].shape?.elementCount ?? 0 }
    for tensor in node.outputs { count += slots[tensor].shape?.elementCount ?? 0 }
    return count
  }

  private func dependsOnData(_ node: Node) -> Bool {
    node.operation.shapeInputs.contains { position in
      guard position < node.inputs.count, node.inputs[position] >= 0 else { return false }
      let slot = slots[node.inputs[position]]
      return !slot.isConstant && !slot.isKnown
    }
  }

  // MARK: Shapes

  func shapeContext(of node: Node) -> ShapeContext {
    shapeContext(of: node, valued: node.operation.shapeInputs)
  }

  func shapeContext(of node: Node, valued: [Int]) -> ShapeContext {
    ShapeContext(
      node: node.spec, shapes: node.inputs.map { $0 < 0 ? nil : slots[$0].shape },
      values: node.inputs.enumerated().map { position, tensor in
        guard tensor >= 0 else { return nil }
        let isWanted = valued.contains(position) || slots[tensor].isConstant
        return isWanted ? view(tensor) : nil
      },
      planSubgraph: { [session] (index, inputs) throws(ModelError) in
        try session.runner(for: index).resultShapes(for: inputs)
      })
  }

  /// The shapes of the outputs, checked; `nil` when only the run can tell.
  func inferShapes(
    of node: Node, _ context: ShapeContext
  ) throws(ModelError) -> [Shape]? {
    let operation = node.operation
    let shapes =
      operation.traits.contains(.shapesOutputsAtRun)
      ? try operation.outputShapesAhead(context) : try operation.outputShapes(context)
    guard let shapes else { return nil }
    guard shapes.count == node.outputs.count else {
      throw context.error("has \(shapes.count) results but the file gives \(node.outputs.count)")
    }
    for shape in shapes where !shape.isReasonable {
      throw context.error("would have a result of the shape \(shape)")
    }
    return shapes
  }

  // MARK: Folding

  /// Computes a node now if its result can never change.
  ///
  /// - Returns: whether it did.
  private func fold(_ node: Node, _ context: ShapeContext) throws(ModelError) -> Bool {
    let operation = node.operation
    guard !operation.traits.contains(.stateful), !node.inputs.isEmpty else { return false }
    let operands = node.inputs.filter { $0 >= 0 }
    let isConstant = !operands.isEmpty && operands.allSatisfy { slots[$0].isConstant }
    let isKnown =
      operation.traits.contains(.readsShapesOnly)
      || (!operands.isEmpty && operands.allSatisfy { slots[$0].isConstant || slots[$0].isKnown })
    guard isConstant || isKnown else { return false }
    if isConstant && adoptFolded(node) { return true }
    try session.meter.charge(
      multiplyAdds: operation.multiplyAdds(context), at: node.spec)
    for output in node.outputs {
      let tensor = subgraph.tensors[output]
      let count = slots[output].shape?.elementCount ?? 0
      if let byteCount = tensor.type.byteCount(ofElements: count) {
        try place(output, byteCount: byteCount, isFilledAtOnce: true)
      }
    }
    try runAhead(node)
    for output in node.outputs {
      slots[output].isConstant = isConstant
      slots[output].isKnown = true
    }
    if isConstant {
      session.model.foldedConstants.keep(node, node.outputs.map { slots[$0] })
    }
    return true
  }

  /// Runs a node whose tensors are placed, with its tuned step if that makes no difference.
  private func runAhead(_ node: Node) throws(ModelError) {
    guard node.operation.traits.contains(.foldsWithStep),
      let step = try tunedStep(for: node, in: PlanSegment(nodes: 0..<0)),
      step.scratchByteCount == 0
    else { return try node.operation.run(RunContext(node: node, runner: self)) }
    let caller = Workers(threadCount: 1)
    withExtendedLifetime(caller) {
      step.body(
        StepContext(
          inputs: node.inputTable, outputs: node.outputTable, bases: bases,
          scratch: UnsafeMutableRawPointer(bases), workers: WorkersReference(caller)))
    }
  }

  /// Takes over what another interpreter of the model has folded.
  private func adoptFolded(_ node: Node) -> Bool {
    guard let folded = session.model.foldedConstants.results(of: node) else { return false }
    for (output, slot) in zip(node.outputs, folded) {
      slots[output] = slot
      bases[output] = slot.block?.base
    }
    return true
  }

  // MARK: Steps

  private func tunedStep(for node: Node, in segment: PlanSegment) throws(ModelError) -> Step? {
    guard let kernels = session.kernels else { return nil }
    let context = planContext(for: node, kernels, in: segment)
    // Nothing is prepared for results that the arena will be refused for.
    guard node.outputs.allSatisfy({ byteCount(ofTensor: $0) <= session.account.left }) else {
      return nil
    }
    // A kernel never sees a tensor without elements.
    let shapes = context.outputShapes + context.inputShapes.compactMap { $0 }
    guard shapes.allSatisfy({ $0.elementCount > 0 }) else { return nil }
    return try node.operation.plan(context)
  }

  private func planContext(
    for node: Node, _ kernels: KernelSet, in segment: PlanSegment
  ) -> PlanContext {
    PlanContext(
      node: node.spec, inputShapes: node.inputs.map { $0 < 0 ? nil : slots[$0].shape },
      outputShapes: node.outputs.compactMap { slots[$0].shape },
      constants: node.inputs.map { $0 >= 0 && slots[$0].isConstant ? view($0) : nil },
      kernels: kernels, packed: session.model.packedWeights,
      threadCount: session.workers.threadCount,
      wantsReferenceBits: session.model.graph.roundsFloats
    ) { operand in
      guard let position = self.sourcePosition(of: node.inputs[operand], in: segment) else {
        return nil
      }
      let source = segment.plannedNodes[position].node
      return OperandSource(source.operation) { self.planContext(for: source, kernels, in: segment) }
    }
  }

  // MARK: Fusing

  /// How far in front of its reader a node is looked for.
  private static let sourceDistance = 8

  /// Where in the segment the node is that makes a tensor for one reader only.
  ///
  /// Nodes without tuned steps stay as they are, and so do those that read what may change before
  /// the reader's turn.
  private func sourcePosition(of tensor: Int, in segment: PlanSegment) -> Int? {
    guard tensor >= 0, subgraph.producers[tensor] >= 0, subgraph.useCounts[tensor] == 1 else {
      return nil
    }
    let candidates = segment.plannedNodes.indices.suffix(Self.sourceDistance)
    return candidates.last { position in
      let planned = segment.plannedNodes[position]
      return planned.node.outputs == [tensor] && planned.step != nil && !planned.makesOutputs
        && !planned.node.inputs.contains { $0 >= 0 && subgraph.tensors[$0].isVariable }
    }
  }

  /// Leaves the work of the node that makes `tensor` to its reader.
  ///
  /// - Returns: the reader as it runs from now on.
  private func absorb(
    _ tensor: Int, at operand: Int, into reader: Node, in segment: PlanSegment
  ) -> Node {
    guard let position = sourcePosition(of: tensor, in: segment) else {
      preconditionFailure("a step absorbed an operand that it was not offered")
    }
    let source = segment.plannedNodes[position].node
    segment.plannedNodes[position].step = .part
    segment.plannedNodes[position].isAbsorbed = true
    return Node(reader, absorbing: source, at: operand)
  }
}
