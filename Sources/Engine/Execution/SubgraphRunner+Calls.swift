extension SubgraphRunner {
  /// Runs with these inputs, planning anew where their shapes differ.
  ///
  /// The inputs stay where they are while the subgraph reads them; what it returns is valid
  /// until it is run again, and may be among the inputs.
  ///
  /// - Precondition: the views are not of memory that this runner writes.
  func call(with values: [TensorView], by node: Node) throws(ModelError) -> [TensorView] {
    guard values.count == subgraph.inputs.count else {
      throw node.spec.error(
        "passes \(values.count) values to subgraph \(subgraph.index), which takes "
          + "\(subgraph.inputs.count)")
    }
    try plan(for: values.map(\.shape))
    defer { unbindInputs() }
    for (input, value) in zip(subgraph.inputs, values) { try bind(input, to: value, by: node) }
    try run()
    return subgraph.outputs.map { view($0) }
  }

  /// The shapes of the outputs for inputs of these shapes; `nil` when they depend on data.
  func resultShapes(for inputs: [Shape]) throws(ModelError) -> [Shape]? {
    try plan(for: inputs)
    guard segments.first?.nodes == 0..<subgraph.nodes.count,
      segments.first?.plannedNodes.last?.makesOutputs != true
    else { return nil }
    return subgraph.outputs.map { slots[$0].shape ?? subgraph.tensors[$0].shape }
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
    _ input: Int, to value: TensorView, by node: Node
  ) throws(ModelError) {
    let tensor = subgraph.tensors[input]
    let needed = value.type.byteCount(ofElements: value.elementCount) ?? value.bytes.count
    guard tensor.type == value.type, slots[input].shape == value.shape,
      value.bytes.count >= needed
    else {
      throw node.spec.error(
        "passes \(value.type.name) \(value.shape) for input \(tensor.label) of subgraph "
          + "\(subgraph.index), which is \(tensor.type.name)")
    }
    guard tensor.isVariable else {
      bases[input] = value.bytes.baseAddress
      slots[input].byteCount = needed
      return
    }
    let block = try place(input, byteCount: needed)
    if let source = value.bytes.baseAddress {
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
