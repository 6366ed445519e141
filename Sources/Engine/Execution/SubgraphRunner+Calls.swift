extension SubgraphRunner {
  /// The least cost of a call, so that endless loops and loops without arithmetic use up the budget
  /// too.
  ///
  /// Nested calls cost more: if each of many levels of subgraphs calls the next level twice, the
  /// number of calls doubles with every level.
  private var callCost: Int { (1 + session.callDepth * session.callDepth) << 21 }

  /// Runs with these inputs, planning again if their shapes differ.
  ///
  /// The inputs must stay in place while the subgraph reads them. The tensors in `results` are
  /// valid until the subgraph runs again, and may be among the inputs.
  ///
  /// - Precondition: the inputs are not in memory that this runner writes.
  func call(
    with values: [SubgraphArgument], into results: inout [SubgraphArgument], by node: Node
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
    for output in subgraph.outputs { results.append(memory.location(of: output)) }
  }

  /// Returns whether the plan is for values of these shapes; called in every iteration of a loop.
  private func isPlanned(for values: [SubgraphArgument]) -> Bool {
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
  /// Binds an input to the caller's memory, which the subgraph only reads, unless it is a constant
  /// that is known already.
  fileprivate func bind(
    _ input: Int, to value: SubgraphArgument, by node: Node
  ) throws(ModelError) {
    if slots[input].isConstant { return }
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
    for input in subgraph.inputs where !slots[input].isConstant {
      addresses[input] = slots[input].block?.base
      slots[input].byteCount = slots[input].block?.byteCount ?? 0
    }
  }

  /// Returns the memory and shape of a tensor, for a call.
  func location(of tensor: Int) -> SubgraphArgument {
    SubgraphArgument(
      shape: shape(of: tensor), base: addresses[tensor],
      byteCount: addresses[tensor] == nil ? 0 : slots[tensor].byteCount)
  }
}
