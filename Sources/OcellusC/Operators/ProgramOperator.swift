import CTensorFlowLite
import OcellusEngine

/// One node of the engine's graph that an operator of the program computes.
///
/// Unchecked: it belongs to one interpreter, and so to one thread at a time.
struct ProgramOperator: Operator, @unchecked Sendable {
  let node: GraphNode
  let graph: GraphContext
  // The program's code may keep state, so the engine must never fold the node; and only its
  // `prepare` says whether the shapes of results are known before the run.
  let traits: OperatorTraits = [.stateful, .shapesOutputsAtRun]

  private var tensors: TensorTable { graph.tensors }

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]? {
    for (position, spec) in context.node.inputs.enumerated() {
      guard let spec, let tensor = tensors[spec.index] else { continue }
      if let shape = context.optionalShape(position) { tensor.resize(shape, as: spec.type) }
      if let value = context.value(position), !tensor.isDynamic { tensor.show(value.bytes) }
    }
    for spec in context.node.outputs {
      tensors[spec.index]?.resetForPlanning()
    }
    let status = node.kernel?.prepare(graph.context, node.node) ?? kTfLiteError
    guard status == kTfLiteOk else { throw failure(status, "prepare") }
    let results = context.node.outputs.compactMap { tensors[$0.index] }
    node.isDynamic = results.contains(where: \.isDynamic)
    return node.isDynamic ? nil : results.map { Shape($0.shape) }
  }

  func run(_ context: RunContext) throws(ModelError) {
    for (position, spec) in context.node.spec.inputs.enumerated() {
      guard let spec, let tensor = tensors[spec.index],
        let view = context.optionalInput(position)
      else { continue }
      tensor.resize(view.shape, as: view.type)
      try tensor.bind(view.bytes, for: context)
    }
    for (position, spec) in context.node.spec.outputs.enumerated() {
      if node.isDynamic {
        tensors.provideMemory(for: spec.index)
      } else {
        tensors[spec.index]?.show(context.output(position).bytes)
      }
    }
    for temporary in numbers(UnsafePointer(node.node.pointee.temporaries)) {
      tensors.provideMemory(for: temporary)
    }
    let status = node.kernel?.invoke(graph.context, node.node) ?? kTfLiteError
    guard status == kTfLiteOk else { throw failure(status, "invoke") }
    if node.isDynamic { try copyResults(to: context) }
  }

  /// Copies results whose shapes the operator has just determined.
  private func copyResults(to context: RunContext) throws(ModelError) {
    for (position, spec) in context.node.spec.outputs.enumerated() {
      guard let tensor = tensors[spec.index] else { continue }
      let memory = tensor.memory
      let result = try context.makeOutput(
        position, shape: Shape(tensor.shape),
        byteCount: tensor.hasFixedElements ? nil : memory.count)
      guard result.bytes.count == memory.count else {
        throw context.error("result \(position) has \(memory.count) bytes")
      }
      result.bytes.copyMemory(from: UnsafeRawBufferPointer(memory))
    }
  }

  /// Makes the error with the official message; `allocate` returns the status.
  private func failure(_ status: TfLiteStatus, _ verb: String) -> ModelError {
    graph.failure = status
    return ModelError(
      .invalidData, "Node number \(node.index) (\(node.name)) failed to \(verb).")
  }
}

extension UnsafeMutablePointer where Pointee == TfLiteTensor {
  /// Sets a shape that the engine knows, and the number of bytes that follows from it.
  func resize(_ shape: Shape, as type: ElementType) {
    setShape(shape.dimensions)
    if let byteCount = type.byteCount(ofElements: shape.elementCount) { pointee.bytes = byteCount }
  }

  /// Refers to the memory of an operand, or copies it if the structure owns its memory.
  func bind(_ bytes: UnsafeMutableRawBufferPointer, for context: RunContext) throws(ModelError) {
    guard isDynamic else { return show(bytes) }
    guard TfLiteTensorRealloc(bytes.count, self) == kTfLiteOk else {
      throw context.error("there is no memory for \(bytes.count) bytes", .overBudget)
    }
    memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
  }

  /// Resets a result before its operator prepares again.
  func resetForPlanning() {
    guard hasFixedElements else { return }
    if isDynamic {
      TfLiteTensorDataFree(self)
      pointee.allocation_type = kTfLiteArenaRw
    }
    pointee.data.data = nil
  }
}
