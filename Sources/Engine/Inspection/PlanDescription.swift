/// A plan as it can be shown: what runs which node, what was left out and why, and where tensors
/// lie.
public struct PlanDescription: Sendable {
  /// Who does a node's work.
  public enum Execution: Sendable, Equatable {
    /// A tuned kernel.
    case kernel(String)
    /// The plain loops, and why.
    case reference(String)
    /// Nobody: the results lie where the operands do.
    case view
    /// The node of this number, in passing.
    case fused(into: Int)
    /// The node of this number, which begins a chain: all its steps run piece by piece.
    case chained(to: Int)
    /// The planner: the results are the same in every run.
    case folded
    /// Not known before the nodes in front of this one have run.
    case unplanned
  }

  /// Where a result lies.
  public enum Place: Sendable, Equatable {
    /// In the segment's arena, so many bytes from its beginning; results that are never needed
    /// together share bytes.
    case arena(offset: Int, byteCount: Int)
    /// In memory of its own.
    case own(byteCount: Int)
    /// Nowhere as a whole: only pieces of it exist, one after the other, or nothing at all.
    case none
  }

  /// One result of a node.
  public struct Result: Sendable {
    /// The tensor's number in its subgraph.
    public let tensor: Int
    /// Its extents in the order of the file; `nil` where only a run can tell.
    public let shape: Shape?
    /// Where it lies.
    public let place: Place
  }

  /// One node of the subgraph.
  public struct Node: Sendable {
    /// Its position in the subgraph.
    public let index: Int
    /// The schema's name of its operator, or the custom one's.
    public let operatorName: String
    /// Who does its work.
    public let execution: Execution
    /// How it came to its kernel; `nil` where there is no choice.
    public let strategy: StrategyChoice?
    /// What it multiplies and adds in a run.
    public let multiplyAdds: Int
    /// What its step works with beside operands and results.
    public let scratchByteCount: Int
    /// The segment that it belongs to; `nil` where it is not planned.
    public let segment: Int?
    /// Its results.
    public let results: [Result]
  }

  /// A stretch of nodes that is planned as a whole.
  public struct Segment: Sendable {
    /// The nodes that it covers.
    public let nodes: Range<Int>
    /// What its results and working memory take together.
    public let arenaByteCount: Int
  }

  /// The nodes of the subgraph, in the order of the file.
  public let nodes: [Node]
  /// More than one where shapes depend on data.
  public let segments: [Segment]
  /// What weights take in the kernels' own layouts, of the whole model.
  public let packedByteCount: Int
}

extension PlanDescription {
  /// What computed tensors and working memory take together.
  public var arenaByteCount: Int { segments.reduce(0) { $0 + $1.arenaByteCount } }

  /// What the computed tensors alone would take if none made room for another.
  public var resultByteCount: Int {
    nodes.reduce(0) { sum, node in
      node.results.reduce(sum) { sum, result in
        if case .arena(_, let byteCount) = result.place { return sum + byteCount }
        return sum
      }
    }
  }

  /// The multiply-adds of a run.
  public var multiplyAdds: Int { nodes.reduce(0) { $0 + $1.multiplyAdds } }
}

extension PlanDescription.Execution: CustomStringConvertible {
  /// The same in words.
  public var description: String {
    switch self {
    case .kernel(let name): name
    case .reference(let reason): "reference (\(reason))"
    case .view: "view of its operand"
    case .fused(let node): "fused into node \(node)"
    case .chained(let node): "chained to node \(node)"
    case .folded: "folded"
    case .unplanned: "not planned yet"
    }
  }
}

extension PlanDescription.Execution {
  /// The kernel where there is one, or who does the work instead; nothing for what does not run.
  package var kernelName: String? {
    switch self {
    case .kernel(let name): name
    case .reference: "reference"
    case .view: "view"
    case .fused: "fused into its reader"
    case .chained: "fused into a chain"
    case .folded, .unplanned: nil
    }
  }
}

// MARK: - Of a plan

extension EntryPoint {
  /// The plan as far as it is made: `allocate()` makes it, and runs go on where shapes depend on
  /// data.
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
    // Those of the file: the first node of a chain has the results of the last.
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
    case .absorbed(let node): self = .fused(into: node)
    case .chained(let node): self = .chained(to: node)
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
