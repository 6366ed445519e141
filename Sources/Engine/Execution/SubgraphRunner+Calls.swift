extension SubgraphRunner {
  /// Runs with these inputs, planning anew where their shapes differ.
  ///
  /// The inputs stay where they are while the subgraph reads them. What it returns in `results`
  /// is valid until it is run again, and may be among the inputs.
  ///
  /// - Precondition: the inputs are not in memory that this runner writes.
  func call(
    with values: [TensorPlace], into results: inout [TensorPlace], by node: Node
  ) throws(ModelError) {
    guard values.count == subgraph.inputs.count else {
      throw node.spec.error(
        "passes \(values.count) values to subgraph \(subgraph.index), which takes "
          + "\(subgraph.inputs.count)")
    }
    if !isPlanned(for: values) { try plan(for: values.map(\.shape)) }
    defer { unbindInputs() }
    for position in values.indices {
      try bind(subgraph.inputs[position], to: values[position], by: node)
    }
    try run()
    results.removeAll(keepingCapacity: true)
    for output in subgraph.outputs { results.append(place(of: output)) }
  }

  /// The shapes of the outputs for inputs of these shapes; `nil` when they depend on data.
  func resultShapes(for inputs: [Shape]) throws(ModelError) -> [Shape]? {
    try plan(for: inputs)
    guard segments.first?.nodes == 0..<subgraph.nodes.count,
      segments.first?.plannedNodes.last?.makesOutputs != true
    else { return nil }
    return subgraph.outputs.map { slots[$0].shape ?? subgraph.tensors[$0].shape }
  }

  /// Whether the plan is for values of these shapes: asked at every iteration of a loop.
  private func isPlanned(for values: [TensorPlace]) -> Bool {
    guard isPlanned else { return false }
    for position in values.indices
    where slots[subgraph.inputs[position]].shape != values[position].shape {
      return false
    }
    return true
  }

  private func plan(for shapes: [Shape]) throws(ModelError) {
    var changed: [Int: Shape] = [:]
    for (input, shape) in zip(subgraph.inputs, shapes) where slots[input].shape != shape {
      changed[input] = shape
    }
    if !isPlanned || !changed.isEmpty { try plan(inputShapes: changed) }
  }

  /// Lets an input stand for the caller's memory.
  ///
  /// Variables are written while the subgraph runs, so an input that is one gets a copy.
  private func bind(
    _ input: Int, to value: TensorPlace, by node: Node
  ) throws(ModelError) {
    let type = subgraph.tensors[input].type
    let needed = type.byteCount(ofElements: value.shape.elementCount) ?? value.byteCount
    guard value.byteCount >= needed else {
      throw node.spec.error(
        "passes \(value.byteCount) bytes for input \(subgraph.tensors[input].label) of subgraph "
          + "\(subgraph.index), which takes \(needed)")
    }
    guard subgraph.tensors[input].isVariable else {
      bases[input] = value.base
      slots[input].byteCount = needed
      return
    }
    let block = try place(input, byteCount: needed)
    if let source = value.base {
      block.base.copyMemory(from: source, byteCount: needed)
    }
  }

  private func unbindInputs() {
    for input in subgraph.inputs {
      bases[input] = slots[input].block?.base
      slots[input].byteCount = slots[input].block?.byteCount ?? 0
    }
  }
}
