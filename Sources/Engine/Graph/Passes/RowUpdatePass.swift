extension Graph {
  /// Returns the graph with one node in place of each pattern that replaces a row of a tensor.
  ///
  /// Recurrent networks that were converted as loops collect their results step by step:
  /// CONCATENATION joins the rows before the new one (a SLICE), the new row, and the rows after it
  /// (a SLICE). The slices change their shapes with every iteration, though the result does not,
  /// and all of them would be planned again each time.
  func fusingRowUpdates() -> Graph {
    Graph(self, subgraphs: subgraphs.map { $0.map(RowUpdatePass.rewriting) })
  }
}

/// A node whose work another node does.
struct FusedAwayNode: Operator {
  /// The index of the node that does the work.
  let reader: Int

  func outputShapes(_ context: ShapeContext) -> [Shape] { [] }
  func run(_ context: RunContext) {}
  func plan(_ context: PlanContext) -> Step? { .fused }
}

private struct RowUpdatePass {
  static func rewriting(_ subgraph: Subgraph) -> Subgraph {
    let rows = RowUpdatePass(subgraph: subgraph)
    var nodes = subgraph.nodes
    var isReplaced = false
    for (position, node) in nodes.enumerated()
    where type(of: node.operation) == Concatenation.self {
      isReplaced = rows.replace(position, in: &nodes) || isReplaced
    }
    return isReplaced ? Subgraph(subgraph, nodes: nodes) : subgraph
  }

  let subgraph: Subgraph

  /// Replaces a CONCATENATION by a `RowUpdate`, if it ends the pattern.
  ///
  /// - Returns: whether it was replaced.
  private func replace(_ position: Int, in nodes: inout [Node]) -> Bool {
    let join = nodes[position]
    guard let concatenation = join.operation as? Concatenation, concatenation.joinsBytes(of: 0),
      join.inputs.count == 3, join.spec.outputs[0].type.byteWidth != nil,
      let front = producer(of: join.inputs[0]), front.operation is Slice,
      let rest = producer(of: join.inputs[2]), rest.operation is Slice,
      front.inputs[0] == rest.inputs[0], !subgraph.tensors[front.inputs[0]].isVariable,
      let frontCount = vector(front.inputs[2], endingWith: -1),
      let restStart = vector(rest.inputs[1], endingWith: 0), frontCount.length == restStart.length,
      isConstant(front.spec.inputs[1], of: 0, count: frontCount.length),
      isConstant(rest.spec.inputs[2], of: -1, count: frontCount.length)
    else { return false }
    let operation = RowUpdate(rank: frontCount.length)
    nodes[position] = Node(
      join, operation: operation,
      inputs: [front.inputs[0], frontCount.first, restStart.first, join.inputs[1]],
      outputs: join.outputs)
    let makers = [front, rest] + [front.inputs[2], rest.inputs[1]].compactMap { producer(of: $0) }
    for node in makers {
      nodes[node.spec.index] = Node(
        node, operation: FusedAwayNode(reader: position), inputs: [], outputs: [])
    }
    return true
  }

  /// Returns the node that computes a tensor, if there is only one reader.
  private func producer(of tensor: Int) -> Node? {
    guard tensor >= 0, subgraph.producers[tensor] >= 0, subgraph.useCounts[tensor] == 1 else {
      return nil
    }
    return subgraph.nodes[subgraph.producers[tensor]]
  }

  /// Returns the first element of a computed vector whose other elements all are the constant
  /// `value`.
  private func vector(
    _ tensor: Int, endingWith value: Int
  ) -> (first: Int, length: Int)? {
    guard let node = producer(of: tensor), node.inputs.count == 2,
      let concatenation = node.operation as? Concatenation, concatenation.joinsBytes(of: 0),
      let first = node.spec.inputs[0], first.type == .int32, !first.isVariable,
      !first.isConstant, let others = node.spec.inputs[1], others.shape.rank == 1,
      isConstant(others, of: value, count: others.shape[0])
    else { return nil }
    return (first.index, 1 + others.shape[0])
  }

  /// Returns whether a tensor is a constant vector of `count` elements that equal `value`.
  private func isConstant(_ tensor: TensorSpec?, of value: Int, count: Int) -> Bool {
    guard let tensor, tensor.type == .int32, tensor.shape == [count],
      let bytes = tensor.constant, bytes.count == 4 * count
    else { return false }
    return (0..<count).allSatisfy {
      bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) == Int32(value)
    }
  }
}
