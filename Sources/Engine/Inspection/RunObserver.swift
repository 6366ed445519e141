/// Watches runs node by node, as profiles and traces do; called on the thread that runs.
///
/// Every node comes once, in the order of the file, whatever became of it in the plan: those whose
/// results were computed while planning and those that another one does the work of among them. Nodes
/// that call subgraphs enclose the nodes of these, which come as often as they run.
public protocol RunObserver: AnyObject {
  /// The node is next; its operands are there.
  func willRun(_ node: ObservedNode)
  /// The node has run; its results are there too.
  func didRun(_ node: ObservedNode)
  /// Whether it wants to know which thread does what (`ObservedNode.parts`), which takes time. Asked when
  /// it is set; `false` unless it says otherwise.
  var watchesParts: Bool { get }
}

extension RunObserver {
  /// Without parts.
  public var watchesParts: Bool { false }
}

/// A node of the file in a run, as observers see it.
///
/// What it shows is true while the observer is called, and no longer.
public struct ObservedNode {
  private let node: Node
  /// Where it is planned; `nil` for a node that was computed while planning.
  ///
  /// A place, since copies of all that a plan says of a node would be what profiles measure.
  private let place: (segment: PlanSegment, step: Int)?
  let memory: TensorMemory
  /// Where its parts are taken down, if they are.
  private let log: PartLog?

  /// A step of a segment.
  init(_ segment: PlanSegment, step: Int, memory: TensorMemory, log: PartLog?) {
    node = segment.steps[step].node
    place = (segment, step)
    (self.memory, self.log) = (memory, log)
  }

  /// A node that was computed while planning.
  init(folded node: Node, memory: TensorMemory) {
    self.node = node
    place = nil
    (self.memory, log) = (memory, nil)
  }

  var spec: NodeSpec { node.spec }
  var planned: PlannedNode? { place.map { $0.segment.steps[$0.step] } }

  /// The subgraph that it stands in.
  public var subgraph: Int { spec.subgraph }
  /// Its position in the subgraph.
  public var index: Int { spec.index }
  /// The schema's name of its operator, or the custom one's.
  public var operatorName: String { spec.operatorName }
  /// The version of the operator.
  public var version: Int { spec.version }
  /// Who does its work.
  public var execution: PlanDescription.Execution {
    guard let (segment, step) = place else { return .folded }
    // Field by field: a copy of the planned node would hold on to all that it works with.
    return .init(
      segment.steps[step].role, kernelName: segment.steps[step].step?.kernelName,
      segment.steps[step].referenceReason)
  }
  /// How it came to its kernel; `nil` where there is no choice.
  public var strategy: StrategyChoice? {
    place.flatMap { $0.segment.steps[$0.step].step?.strategy }
  }
  /// What it multiplies and adds.
  public var multiplyAdds: Int { place.map { $0.segment.steps[$0.step].multiplyAdds } ?? 0 }
  /// The operands in the file's order; `nil` for one that is left out.
  public var inputs: [ObservedTensor?] {
    spec.inputs.map { $0.map { ObservedTensor(spec: $0, memory: memory) } }
  }
  /// The operands' numbers in their subgraph; -1 for one that is left out.
  ///
  /// For those who want no more of them: operands themselves are copies of all that is known of a tensor.
  package var inputIndexes: [Int] { node.fileInputs }
  /// One of the operands.
  package func input(_ position: Int) -> ObservedTensor? {
    spec.inputs[position].map { ObservedTensor(spec: $0, memory: memory) }
  }
  /// The results in the file's order.
  public var outputs: [ObservedTensor] {
    spec.outputs.map { ObservedTensor(spec: $0, memory: memory) }
  }
  /// The parts that threads shared, thread by thread, once the node has run.
  ///
  /// None where one thread did it all, or the observer does not watch parts; of very many the last are missing.
  public var parts: [PartTime] { log?.parts ?? [] }
}

extension Interpreter {
  /// Who watches the runs; without an observer a run pays one comparison for each segment.
  ///
  /// `Options.keepsNodesApart` lets it see all tensors.
  public var observer: (any RunObserver)? {
    get { session.observer }
    set {
      session.observer = newValue
      let workers = session.workers
      workers.log =
        newValue?.watchesParts == true ? PartLog(threadCount: workers.threadCount) : nil
    }
  }
}
