extension Graph {
  /// The same graph where rows of tensors are replaced by one node.
  ///
  /// Recurrent networks that were converted as loops collect their results step by step: the rows
  /// in front of the new one (SLICE), itself, and the rows behind it (SLICE) are joined
  /// (CONCATENATION). The slices have other shapes in every iteration, though what comes out always
  /// has the same, and all would be planned anew each time.
  func withReplacedRows() -> Graph {
    Graph(self, subgraphs: subgraphs.map { $0.map(ReplacedRows.rewriting) })
  }
}

/// What is left of a node whose work another one does.
struct PassedNode: Operator {
  /// The node that does it.
  let reader: Int

  func outputShapes(_ context: ShapeContext) -> [Shape] { [] }
  func run(_ context: RunContext) {}
  func plan(_ context: PlanContext) -> Step? { .part }
}

private struct ReplacedRows {
  static func rewriting(_ subgraph: Subgraph) -> Subgraph {
    let rows = ReplacedRows(subgraph: subgraph)
    var nodes = subgraph.nodes
    var isReplaced = false
    for (position, node) in nodes.enumerated()
    where type(of: node.operation) == Concatenation.self {
      isReplaced = rows.replace(position, in: &nodes) || isReplaced
    }
    return isReplaced ? Subgraph(subgraph, nodes: nodes) : subgraph
  }

  let subgraph: Subgraph

  /// Puts a `RowReplacement` in place of a CONCATENATION, if it and what is in front of it are one.
  ///
  /// - Returns: whether they were.
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
    let operation = RowReplacement(rank: frontCount.length)
    nodes[position] = Node(
      join, operation: operation,
      inputs: [front.inputs[0], frontCount.first, restStart.first, join.inputs[1]],
      outputs: join.outputs)
    let makers = [front, rest] + [front.inputs[2], rest.inputs[1]].compactMap { producer(of: $0) }
    for node in makers {
      nodes[node.spec.index] = Node(
        node, operation: PassedNode(reader: position), inputs: [], outputs: [])
    }
    return true
  }

  /// The node that makes a tensor for one reader only.
  private func producer(of tensor: Int) -> Node? {
    guard tensor >= 0, subgraph.producers[tensor] >= 0, subgraph.useCounts[tensor] == 1 else {
      return nil
    }
    return subgraph.nodes[subgraph.producers[tensor]]
  }

  /// The first number of a vector whose others are constants, and all alike.
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

  /// Whether a tensor is a constant vector of so many equal numbers.
  private func isConstant(_ tensor: TensorSpec?, of value: Int, count: Int) -> Bool {
    guard let tensor, tensor.type == .int32, tensor.shape == [count],
      let bytes = tensor.constant, bytes.count == 4 * count
    else { return false }
    return (0..<count).allSatisfy {
      bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) == Int32(value)
    }
  }
}
