/// Infers the shapes of nodes' results from what is known of their operands.
struct ShapeInference {
  let memory: TensorMemory
  let session: Session

  /// Returns the context from which an operator infers shapes.
  ///
  /// It contains the values of constants and of the operands that decide shapes, or of those in
  /// `valued`.
  func context(of node: Node, valued: [Int]? = nil) -> ShapeContext {
    let valued = valued ?? node.operation.shapeInputs
    return ShapeContext(
      node: node.spec, shapes: node.inputs.map { $0 < 0 ? nil : memory.slots[$0].shape },
      values: node.inputs.enumerated().map { position, tensor in
        guard tensor >= 0 else { return nil }
        let isWanted = valued.contains(position) || memory.slots[tensor].isConstant
        guard isWanted else { return nil }
        var view = memory.view(tensor)
        view.control = session.control
        return view
      },
      planSubgraph: { [session] (index, inputs) throws(ModelError) in
        try session.runner(for: index).resultShapes(for: inputs)
      })
  }

  /// Returns the shapes of the outputs, checked; `nil` when only the run can tell.
  func shapes(of node: Node, _ context: ShapeContext) throws(ModelError) -> [Shape]? {
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

  // MARK: Values that decide shapes

  /// Returns whether the values that decide the shapes of a node's results are known.
  ///
  /// All nodes before `start` have run; `nil` stands for the time before a run. A variable may
  /// change until its reader runs, so only the next node knows its value.
  func areShapesKnown(of node: Node, havingRun start: Int?) -> Bool {
    let isNext = start == node.spec.index
    return node.operation.shapeInputs.allSatisfy { position in
      guard node.inputs.indices.contains(position), node.inputs[position] >= 0 else { return true }
      let tensor = node.inputs[position]
      if memory.slots[tensor].isConstant || memory.slots[tensor].isKnown || isNext { return true }
      guard let start, !memory.subgraph.tensors[tensor].isVariable else { return false }
      return memory.subgraph.producers[tensor] < start
    }
  }

  /// Returns whether the shapes of a node's results depend on values that may change in every run.
  func dependsOnData(_ node: Node) -> Bool {
    node.operation.shapeInputs.contains { position in
      guard node.inputs.indices.contains(position), node.inputs[position] >= 0 else { return false }
      let slot = memory.slots[node.inputs[position]]
      return !slot.isConstant && !slot.isKnown
    }
  }
}
