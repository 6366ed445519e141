extension Graph {
  /// Returns the graph with fewer TRANSPOSEs to compute.
  ///
  /// Models from frameworks with channels first transpose images before and after every
  /// convolution. If the nodes between two such transposes do not depend on the order of the axes,
  /// their tensors can be stored in the order before the first transpose. It and the transpose that
  /// reverses it then have nothing to do.
  func choosingStorageOrders() -> Graph {
    Graph(self, subgraphs: subgraphs.map { $0.map(StorageOrderPass.rewriting) })
  }
}

/// The axis orders in which a subgraph's tensors are stored to save TRANSPOSEs.
private struct StorageOrderPass {
  static func rewriting(_ subgraph: Subgraph) -> Subgraph {
    var orders = StorageOrderPass(of: subgraph)
    return orders.findOrders() ? orders.rewritten() : subgraph
  }

  private let subgraph: Subgraph
  /// The axis orders of constant TRANSPOSEs, by node.
  private var permutations: [Int: AxisOrder] = [:]
  /// For each tensor, one that shares its order: a forest whose roots stand for their trees.
  private var parents: [Int]
  /// The orders of the trees, by root.
  private var orders: [Int: AxisOrder] = [:]

  init(of subgraph: Subgraph) {
    self.subgraph = subgraph
    parents = Array(subgraph.tensors.indices)
  }

  // MARK: Choice of orders

  /// Chooses an order for each tree.
  ///
  /// - Returns: whether any tree has an order other than that of its shapes.
  mutating func findOrders() -> Bool {
    for (position, node) in subgraph.nodes.enumerated()
    where type(of: node.operation) == Transpose.self {
      permutations[position] = Transpose.order(node.spec)
    }
    guard permutations.count > 1 else { return false }
    let bound = joinTensors()
    // In the order of the file, so that the first TRANSPOSE decides.
    for position in permutations.keys.sorted() {
      guard let permutation = permutations[position], !permutation.isIdentity else { continue }
      let node = subgraph.nodes[position]
      let root = root(of: node.outputs[0])
      if !bound[root], bound[self.root(of: node.inputs[0])] {
        orders[root] = orders[root] ?? permutation.inverse
      }
    }
    guard !orders.isEmpty else { return false }
    for root in mixedRoots() { orders[root] = nil }
    return !orders.isEmpty
  }

  /// Joins tensors that must share an order.
  ///
  /// - Returns: for every root, whether the tensors of its tree must be stored in the order of
  ///   their shapes.
  private mutating func joinTensors() -> [Bool] {
    var bound = subgraph.tensors.map { !Self.canReorder($0) }
    for tensor in subgraph.inputs { bound[tensor] = true }
    for tensor in subgraph.outputs { bound[tensor] = true }
    for (position, node) in subgraph.nodes.enumerated() where permutations[position] == nil {
      let operands = node.operation.axisOrderAgnostic?.operandsInOrder(node.spec) ?? []
      for (operand, tensor) in node.inputs.enumerated() where tensor >= 0 {
        if operands.contains(operand) {
          join(tensor, node.outputs[0])
        } else {
          bound[tensor] = true
        }
      }
      if operands.isEmpty { for output in node.outputs { bound[output] = true } }
    }
    for tensor in bound.indices where bound[tensor] { bound[root(of: tensor)] = true }
    return bound
  }

  /// Returns whether the tensor may be stored in another order.
  ///
  /// Constants have the file's order, and scales per channel or block refer to axes of the shape.
  private static func canReorder(_ tensor: TensorSpec) -> Bool {
    let quantization = tensor.quantization
    return !tensor.isConstant && !tensor.isVariable && tensor.type.byteWidth != nil
      && quantization?.isPerChannel != true && quantization?.blockwise == nil
  }

  /// Returns the roots of trees whose tensors may have another number of axes than the order.
  ///
  /// Tensors of a tree come from TRANSPOSEs, which check their operands' axes when they are
  /// planned. So only TRANSPOSEs need to be examined, and constants that would add axes.
  private func mixedRoots() -> Set<Int> {
    var mixed: Set<Int> = []
    for (position, node) in subgraph.nodes.enumerated() {
      let constants = node.spec.inputs.compactMap { $0 }.filter(\.isConstant)
      let constantRank = constants.reduce(0) { max($0, $1.shape.rank) }
      let tensors =
        permutations[position] == nil ? node.outputs : [node.inputs[0], node.outputs[0]]
      for root in tensors.map({ root(of: $0) }) {
        guard let rank = orders[root]?.rank else { continue }
        if constantRank > rank || permutations[position]?.rank ?? rank != rank {
          mixed.insert(root)
        }
      }
    }
    return mixed
  }

  private func root(of tensor: Int) -> Int {
    var tensor = tensor
    while parents[tensor] != tensor { tensor = parents[tensor] }
    return tensor
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (a, b) = (root(of: first), root(of: second))
    // The root is mostly the tensor that is computed first, so trees stay flat.
    parents[max(a, b)] = min(a, b)
    parents[first] = min(a, b)
  }

  private func order(of tensor: Int) -> AxisOrder? { orders[root(of: tensor)] }

  // MARK: Rewriting

  /// Returns the subgraph with the chosen orders.
  func rewritten() -> Subgraph {
    var stored: [Int: AxisOrder] = [:]
    /// For the results of removed TRANSPOSEs, the tensors that their readers read instead.
    var sources: [Int: Int] = [:]
    let nodes = subgraph.nodes.enumerated().map { position, node in
      for output in node.outputs { stored[output] = order(of: output) }
      let inputs = node.inputs.map { sources[$0] ?? $0 }
      guard let permutation = permutations[position], let transpose = node.operation as? Transpose
      else {
        return Node(
          node, operation: operation(of: node), inputs: inputs, outputs: node.outputs)
      }
      let (operand, result) = (order(of: node.inputs[0]), order(of: node.outputs[0]))
      if isNothing(permutation, from: operand, to: result),
        canReplace(node.outputs[0], by: inputs[0])
      {
        sources[node.outputs[0]] = inputs[0]
        let operation = RemovedTranspose(rank: permutation.rank)
        return Node(node, operation: operation, inputs: [inputs[0]], outputs: [])
      }
      return Node(
        node, operation: transpose.reordered(operand: operand, result: result),
        inputs: inputs, outputs: node.outputs)
    }
    return Subgraph(subgraph, nodes: nodes, storedOrders: stored)
  }

  private func operation(of node: Node) -> any Operator {
    guard let output = node.outputs.first, let order = order(of: output),
      let operation = node.operation.axisOrderAgnostic
    else { return node.operation }
    return operation.reordered(order)
  }

  /// Returns whether a TRANSPOSE leaves all elements where they are.
  private func isNothing(
    _ permutation: AxisOrder, from operand: AxisOrder?, to result: AxisOrder?
  ) -> Bool {
    let axes = Array(0..<permutation.rank)
    let before = operand?.stored(axes) ?? axes
    let behind = permutation.stored(axes)
    return before == result?.stored(behind) ?? behind
  }

  /// Returns whether the readers of a tensor can read another one.
  ///
  /// A variable may change before they read it, and results of the subgraph must exist as such.
  private func canReplace(_ tensor: Int, by other: Int) -> Bool {
    !subgraph.outputs.contains(tensor) && !subgraph.tensors[other].isVariable
  }
}

/// A TRANSPOSE with nothing to do, whose readers read its operand.
struct RemovedTranspose: Operator {
  var rank: Int

  func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    try context.require(
      context.shape(0).rank == rank,
      "\(rank) axes are named for \(context.shape(0).rank) dimensions")
    return []
  }

  func run(_ context: RunContext) throws(ModelError) {}

  func plan(_ context: PlanContext) throws(ModelError) -> Step? { .view }
}
