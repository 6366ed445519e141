/// A description of a plan: how each node runs, what was folded or fused, and where tensors are
/// stored.
public struct PlanDescription: Sendable {
  /// The way in which a node's work is done.
  public enum Execution: Sendable, Equatable {
    /// A tuned kernel runs.
    case kernel(String)
    /// The reference kernel runs, for this reason.
    case reference(String)
    /// Nothing runs: the results lie where the operands do.
    case view
    /// The node with this index does the work too.
    case fused(into: Int)
    /// The node belongs to a fused group that the node with this index begins, and that runs slice
    /// by slice.
    case fusedGroup(to: Int)
    /// Planning computes the results, which are the same in every run.
    case folded
    /// Unknown before the preceding nodes have run.
    case unplanned
  }

  /// The place where a result is stored.
  public enum Place: Sendable, Equatable {
    /// In the segment's arena, at this offset in bytes.
    ///
    /// Results that are never needed at the same time share bytes.
    case arena(offset: Int, byteCount: Int)
    /// In memory of its own.
    case own(byteCount: Int)
    /// Not stored as a whole: only slices of it exist, one after the other, or nothing at all.
    case none
  }

  /// A result of a node.
  public struct Result: Sendable {
    /// The index of the tensor in its subgraph.
    public let tensor: Int
    /// The extents in the order of the file; `nil` if only a run can tell.
    public let shape: Shape?
    /// The place where the result is stored.
    public let place: Place
  }

  /// A node of the subgraph.
  public struct Node: Sendable {
    /// The index of the node in the subgraph.
    public let index: Int
    /// The operator's name in the schema, or the custom operator's own name.
    public let operatorName: String
    /// The way in which the node's work is done.
    public let execution: Execution
    /// The choice of the node's kernel; `nil` if there was only one.
    public let strategy: StrategyChoice?
    /// The number of multiply-adds in a run.
    public let multiplyAdds: Int
    /// The scratch memory of the node's step, besides operands and results.
    public let scratchByteCount: Int
    /// The index of the node's segment; `nil` if the node is not planned.
    public let segment: Int?
    /// The node's results.
    public let results: [Result]
  }

  /// A range of nodes that are planned together.
  public struct Segment: Sendable {
    /// The indices of the segment's nodes.
    public let nodes: Range<Int>
    /// The size of the segment's arena, with its results and working memory.
    public let arenaByteCount: Int
  }

  /// The nodes of the subgraph, in the order of the file.
  public let nodes: [Node]
  /// The segments of the plan; more than one where shapes depend on data.
  public let segments: [Segment]
  /// The size of the whole model's packed weights.
  public let packedByteCount: Int
}

extension PlanDescription {
  /// The size of all computed tensors and working memory together.
  public var arenaByteCount: Int { segments.reduce(0) { $0 + $1.arenaByteCount } }

  /// The size that the computed tensors would have if they shared no memory.
  public var resultByteCount: Int {
    nodes.reduce(0) { sum, node in
      node.results.reduce(sum) { sum, result in
        if case .arena(_, let byteCount) = result.place { return sum + byteCount }
        return sum
      }
    }
  }

  /// The number of multiply-adds in a run.
  public var multiplyAdds: Int { nodes.reduce(0) { $0 + $1.multiplyAdds } }
}

extension PlanDescription.Execution: CustomStringConvertible {
  /// The way of running in words.
  public var description: String {
    switch self {
    case .kernel(let name): name
    case .reference(let reason): "reference (\(reason))"
    case .view: "view of its operand"
    case .fused(let node): "fused into node \(node)"
    case .fusedGroup(let node): "fused group to node \(node)"
    case .folded: "folded"
    case .unplanned: "not planned yet"
    }
  }
}

extension PlanDescription.Execution {
  /// The kernel's name, or a word for what runs in its place; `nil` if nothing runs.
  package var kernelName: String? {
    switch self {
    case .kernel(let name): name
    case .reference: "reference"
    case .view: "view"
    case .fused: "fused into its reader"
    case .fusedGroup: "fused into a group"
    case .folded, .unplanned: nil
    }
  }
}

// MARK: - Making the description

extension EntryPoint {
  /// The plan as far as it exists.
  ///
  /// `allocate()` makes it, and runs extend it where shapes depend on data.
  public var plan: PlanDescription {
    PlanDescription(of: runner.plan, packedByteCount: session.model.packedWeights.byteCount)
  }
}

extension Interpreter {
  /// The plan of the main subgraph; see `EntryPoint.plan`.
  public var plan: PlanDescription { main.plan }
}

extension PlanDescription {
  init(of plan: Plan, packedByteCount: Int) {
    let subgraph = plan.memory.subgraph
    var nodes: [Node] = []
    for (position, segment) in plan.segments.enumerated() {
      let folded = segment.foldedNodes.map { index in
        Node(
          index: index, operatorName: subgraph.nodes[index].spec.operatorName,
          execution: .folded, strategy: nil, multiplyAdds: 0, scratchByteCount: 0,
          segment: position,
          results: subgraph.nodes[index].outputs.map { Result($0, plan.memory, nil) })
      }
      let offsets = Dictionary(
        segment.layout.tensorOffsets.map { ($0.tensor, $0.offset) }, uniquingKeysWith: { $1 })
      nodes += (folded + segment.steps.map { Node($0, position, plan.memory, offsets) })
        .sorted { $0.index < $1.index }
    }
    nodes += subgraph.nodes[plan.end...].map { node in
      Node(
        index: node.spec.index, operatorName: node.spec.operatorName, execution: .unplanned,
        strategy: nil, multiplyAdds: 0, scratchByteCount: 0, segment: nil,
        results: node.outputs.map { Result(tensor: $0, shape: nil, place: .none) })
    }
    self.nodes = nodes
    segments = plan.segments.map {
      Segment(nodes: $0.nodes, arenaByteCount: $0.arena?.byteCount ?? 0)
    }
    self.packedByteCount = packedByteCount
  }
}

extension PlanDescription.Node {
  fileprivate init(
    _ planned: PlannedNode, _ segment: Int, _ memory: TensorMemory, _ offsets: [Int: Int]
  ) {
    index = planned.node.spec.index
    operatorName = planned.node.spec.operatorName
    execution = .init(planned)
    strategy = planned.step?.strategy
    multiplyAdds = planned.multiplyAdds
    scratchByteCount = planned.step?.scratchByteCount ?? 0
    self.segment = segment
    // Take the file's results: in the plan, the first node of a fused group has the last node's
    // results.
    results = planned.node.spec.outputs.map {
      PlanDescription.Result($0.index, memory, offsets[$0.index])
    }
  }
}

extension PlanDescription.Execution {
  init(_ planned: PlannedNode) {
    self.init(planned.role, kernelName: planned.step?.kernelName, planned.referenceReason)
  }

  init(_ role: PlannedNode.Role, kernelName: String?, _ referenceReason: ReferenceReason?) {
    switch role {
    case .view: self = .view
    case .fused(let node): self = .fused(into: node)
    case .fusedGroup(let node): self = .fusedGroup(to: node)
    case .runs:
      if let kernelName {
        self = .kernel(kernelName)
      } else {
        self = .reference(referenceReason?.rawValue ?? "")
      }
    }
  }
}

extension PlanDescription.Result {
  fileprivate init(_ tensor: Int, _ memory: TensorMemory, _ offset: Int?) {
    self.tensor = tensor
    shape = memory.fileShape(of: tensor)
    let slot = memory.slots[tensor]
    if let offset {
      place = .arena(offset: offset, byteCount: slot.byteCount)
    } else {
      place = slot.block.map { .own(byteCount: $0.byteCount) } ?? .none
    }
  }
}
