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
      let restStart = vector(rest.inputs[1], endingWith: 0), frontCount.others == restStart.others,
      isConstant(front.inputs[1], of: 0, others: frontCount.others),
      isConstant(rest.inputs[2], of: -1, others: frontCount.others),
      let rank = rank(frontCount.others, ofRows: join.inputs[1])
    else { return false }
    let operation = RowUpdate(rank: rank)
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

  /// The number of elements that follow the first one in the begins and sizes of slices.
  private enum OtherElements: Equatable {
    case count(Int)
    /// As many as a tensor has dimensions.
    case rank(ofTensor: Int)
  }

  /// Returns the rank of slices with such begins and sizes, or `nil` if it may differ from that of
  /// the rows in between.
  private func rank(_ others: OtherElements, ofRows rows: Int) -> RowUpdate.Rank? {
    switch others {
    case .count(let count): return .known(1 + count)
    case .rank(let tensor):
      // A row that became a tensor of one row.
      guard let node = node(makes: rows, as: ExpandDims.self), node.inputs[0] == tensor,
        isConstant(node.spec.inputs[1], of: 0, count: nil)
      else { return nil }
      return .ofRows
    }
  }

  /// Returns the first element of a vector that begins with a computed one, if all others are the
  /// constant `value`, and their number.
  private func vector(
    _ tensor: Int, endingWith value: Int
  ) -> (first: Int, others: OtherElements)? {
    guard let (first, others) = joined(tensor, endingWith: value), first.type == .int32,
      !first.isVariable, !first.isConstant, producer(of: tensor) != nil
    else { return nil }
    return (first.index, others)
  }

  /// Returns whether all elements of a vector, one and `others`, are the constant `value`.
  private func isConstant(_ tensor: Int, of value: Int, others: OtherElements) -> Bool {
    if case .count(let count) = others,
      isConstant(subgraph.tensors[tensor], of: value, count: 1 + count)
    {
      return true
    }
    guard let (first, joined) = joined(tensor, endingWith: value) else { return false }
    return joined == others && isConstant(first, of: value, count: 1)
  }

  /// Returns what a CONCATENATION of two vectors begins with, if the other one has constant
  /// elements, and their number.
  private func joined(
    _ tensor: Int, endingWith value: Int
  ) -> (first: TensorSpec, others: OtherElements)? {
    guard let node = node(makes: tensor, as: Concatenation.self), node.inputs.count == 2,
      (node.operation as? Concatenation)?.joinsBytes(of: 0) == true,
      let first = node.spec.inputs[0], let last = node.spec.inputs[1],
      let others = elements(of: last, equal: value)
    else { return nil }
    return (first, others)
  }

  /// Returns the number of elements of a vector if all of them are the constant `value`.
  private func elements(of tensor: TensorSpec, equal value: Int) -> OtherElements? {
    if tensor.shape.rank == 1, isConstant(tensor, of: value, count: tensor.shape[0]) {
      return .count(tensor.shape[0])
    }
    guard let fill = node(makes: tensor.index, as: Fill.self),
      isConstant(fill.spec.inputs[1], of: value, count: nil),
      let count = node(makes: fill.inputs[0], as: ExpandDims.self),
      let query = node(makes: count.inputs[0], as: ShapeQuery.self),
      (query.operation as? ShapeQuery)?.asksForRank == true
    else { return nil }
    return .rank(ofTensor: query.inputs[0])
  }

  /// Returns the node that computes a tensor, if it has this operator.
  private func node<Operation: Operator>(makes tensor: Int, as: Operation.Type) -> Node? {
    guard tensor >= 0, subgraph.producers[tensor] >= 0 else { return nil }
    let node = subgraph.nodes[subgraph.producers[tensor]]
    return node.operation is Operation ? node : nil
  }

  /// Returns whether a tensor is a constant vector of `count` elements that equal `value`, or a
  /// scalar if `count` is `nil`.
  private func isConstant(_ tensor: TensorSpec?, of value: Int, count: Int?) -> Bool {
    guard let tensor, tensor.type == .int32, tensor.shape == (count.map { [$0] } ?? []),
      let bytes = tensor.constant, bytes.count == 4 * (count ?? 1)
    else { return false }
    return (0..<(count ?? 1)).allSatisfy {
      bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) == Int32(value)
    }
  }
}
