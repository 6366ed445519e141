extension SubgraphRunner {
  /// What a call is charged at least, so that loops without arithmetic or end come to the end of
  /// the budget too.
  ///
  /// A call inside others costs more: subgraphs that call each other twice, level by level, are
  /// as many as there are ways through them.
  private var callCost: Int { (1 + session.callDepth * session.callDepth) << 21 }

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
    try session.meter.charge(multiplyAdds: callCost, at: node.spec)
    session.callDepth += 1
    defer { session.callDepth -= 1 }
    if !isPlanned(for: values) { try plan(for: values.map(\.shape)) }
    defer { memory.unbindInputs() }
    for position in values.indices {
      try memory.bind(subgraph.inputs[position], to: values[position], by: node)
    }
    try run()
    results.removeAll(keepingCapacity: true)
    for output in subgraph.outputs { results.append(memory.place(of: output)) }
  }

  /// Whether the plan is for values of these shapes: asked at every iteration of a loop.
  private func isPlanned(for values: [TensorPlace]) -> Bool {
    guard isPlanned else { return false }
    for position in values.indices
    where memory.slots[subgraph.inputs[position]].shape != values[position].shape {
      return false
    }
    return true
  }

  func isPlanned(for shapes: [Shape]) -> Bool { isPlanned && plan.isMade(for: shapes) }
}

extension TensorMemory {
  /// Lets an input stand for the caller's memory, which the subgraph only reads.
  fileprivate func bind(
    _ input: Int, to value: TensorPlace, by node: Node
  ) throws(ModelError) {
    let type = subgraph.tensors[input].type
    let needed = type.byteCount(ofElements: value.shape.elementCount) ?? value.byteCount
    guard value.byteCount >= needed else {
      throw node.spec.error(
        "passes \(value.byteCount) bytes for input \(subgraph.tensors[input].label) of subgraph "
          + "\(subgraph.index), which takes \(needed)")
    }
    addresses[input] = value.base
    slots[input].byteCount = needed
  }

  fileprivate func unbindInputs() {
    for input in subgraph.inputs {
      addresses[input] = slots[input].block?.base
      slots[input].byteCount = slots[input].block?.byteCount ?? 0
    }
  }

  /// Where a tensor is, for a call.
  func place(of tensor: Int) -> TensorPlace {
    TensorPlace(
      shape: shape(of: tensor), base: addresses[tensor],
      byteCount: addresses[tensor] == nil ? 0 : slots[tensor].byteCount)
  }
}
