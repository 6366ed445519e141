import OcellusModelFile

extension Subgraph {
  /// Connects the nodes, and checks that every tensor has one source, which precedes its readers.
  init(
    index: Int, record: SubgraphRecord, tensors: [TensorSpec], nodes: [Node]
  ) throws(ModelError) {
    var producers = [Int](repeating: -1, count: tensors.count)
    var lastUses = [Int](repeating: -1, count: tensors.count)
    var useCounts = [Int](repeating: 0, count: tensors.count)
    var isGiven = tensors.map { $0.isConstant || $0.isVariable }
    for input in record.inputs {
      guard !tensors[input].isConstant else {
        throw ModelError(
          .malformed, "input \(tensors[input].label) of subgraph \(index) is a constant")
      }
      isGiven[input] = true
    }

    for node in nodes {
      for input in node.inputs where input >= 0 {
        if producers[input] < 0 && !isGiven[input] {
          try Self.acceptEmptyConstant(tensors[input], of: node)
          isGiven[input] = true
        }
        lastUses[input] = node.spec.index
        useCounts[input] += 1
      }
      for output in node.outputs {
        guard producers[output] < 0, !isGiven[output], !node.inputs.contains(output) else {
          throw node.spec.error(
            "tensor \(tensors[output].label) is written twice, or is an input or a constant",
            .malformed)
        }
        producers[output] = node.spec.index
      }
    }
    for output in record.outputs {
      if producers[output] < 0 && !isGiven[output] {
        throw ModelError(
          .malformed, "output \(tensors[output].label) of subgraph \(index) is never computed")
      }
      lastUses[output] = .max
      useCounts[output] += 1
    }
    self.init(
      index: index, name: record.name, tensors: tensors, inputs: record.inputs,
      outputs: record.outputs, nodes: nodes, producers: producers, lastUses: lastUses,
      useCounts: useCounts)
  }

  /// Accepts a tensor that nothing computes, if it has no elements.
  ///
  /// It is a constant for which the file has no buffer.
  private static func acceptEmptyConstant(
    _ tensor: TensorSpec, of node: Node
  ) throws(ModelError) {
    guard tensor.shape.isReasonable, tensor.shape.elementCount == 0, tensor.shape.rank > 0 else {
      throw node.spec.error(
        "reads tensor \(tensor.label), which nothing in front of it computes", .malformed)
    }
    tensor.constant = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Returns whether the output at a position is the input at that position.
  func keepsInput(at position: Int) -> Bool {
    inputs.indices.contains(position) && outputs[position] == inputs[position]
  }

  /// Makes a subgraph with the same tensors and other nodes at the same positions.
  init(_ original: Subgraph, nodes: [Node], storedOrders: [Int: AxisOrder] = [:]) {
    var producers = [Int](repeating: -1, count: original.tensors.count)
    var lastUses = producers
    var useCounts = [Int](repeating: 0, count: original.tensors.count)
    for node in nodes {
      for output in node.outputs { producers[output] = node.spec.index }
      // A transpose that a pass has made redundant reads no elements.
      for input in node.inputs where input >= 0 && !(node.operation is RemovedTranspose) {
        lastUses[input] = node.spec.index
        useCounts[input] += 1
      }
    }
    for output in original.outputs {
      lastUses[output] = .max
      useCounts[output] += 1
    }
    self.init(
      index: original.index, name: original.name, tensors: original.tensors,
      inputs: original.inputs, outputs: original.outputs, nodes: nodes, producers: producers,
      lastUses: lastUses, useCounts: useCounts, storedOrders: storedOrders)
  }
}
