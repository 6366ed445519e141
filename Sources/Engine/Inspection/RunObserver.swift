/// An observer of runs, for profiles and traces; it is called on the thread that runs the model.
///
/// Every node is reported once, in the order of the file, even if planning has computed its results
/// or another node does its work. Between the two calls for a node that calls a subgraph come the
/// calls for that subgraph's nodes, as often as they run.
public protocol RunObserver: AnyObject {
  /// Called before the node runs; its operands exist.
  func willRun(_ node: ObservedNode)
  /// Called after the node has run; its results exist too.
  func didRun(_ node: ObservedNode)
  /// Whether to record which thread runs which work item (`ObservedNode.workItems`), which takes
  /// time.
  ///
  /// The value is read when the observer is set, and is `false` by default.
  var recordsWorkItems: Bool { get }
}

extension RunObserver {
  /// Does not record work items.
  public var recordsWorkItems: Bool { false }
}

/// A node of the file in a run, as observers see it.
///
/// It is valid only until the observer returns.
public struct ObservedNode {
  private let node: Node
  /// The position in the plan; `nil` for a node that was computed while planning.
  ///
  /// A position is cheap, while a copy of the planned node would distort the profile.
  private let position: (segment: PlanSegment, step: Int)?
  let memory: TensorMemory
  /// The log of the node's work items, if they are recorded.
  private let log: WorkItemLog?

  /// Makes a node that is a step of a segment.
  init(_ segment: PlanSegment, step: Int, memory: TensorMemory, log: WorkItemLog?) {
    node = segment.steps[step].node
    position = (segment, step)
    (self.memory, self.log) = (memory, log)
  }

  /// Makes a node that was computed while planning.
  init(folded node: Node, memory: TensorMemory) {
    self.node = node
    position = nil
    (self.memory, log) = (memory, nil)
  }

  var spec: NodeSpec { node.spec }
  var planned: PlannedNode? { position.map { $0.segment.steps[$0.step] } }

  /// The index of the node's subgraph.
  public var subgraph: Int { spec.subgraph }
  /// The index of the node in its subgraph.
  public var index: Int { spec.index }
  /// The operator's name in the schema, or the custom operator's own name.
  public var operatorName: String { spec.operatorName }
  /// The version of the operator.
  public var version: Int { spec.version }
  /// The way in which the node's work is done.
  public var execution: PlanDescription.Execution {
    guard let (segment, step) = position else { return .folded }
    // The fields are read one by one: a copy of the planned node would retain everything in it.
    return .init(
      segment.steps[step].role, kernelName: segment.steps[step].step?.kernelName,
      segment.steps[step].referenceReason)
  }
  /// The choice of the node's kernel; `nil` if there was only one.
  public var strategy: StrategyChoice? {
    position.flatMap { $0.segment.steps[$0.step].step?.strategy }
  }
  /// The number of multiply-adds.
  public var multiplyAdds: Int { position.map { $0.segment.steps[$0.step].multiplyAdds } ?? 0 }
  /// The operands in the file's order; `nil` for an operand that is left out.
  public var inputs: [ObservedTensor?] {
    spec.inputs.map { $0.map { ObservedTensor(spec: $0, memory: memory) } }
  }
  /// The tensor indices of the operands; -1 for an operand that is left out.
  ///
  /// They are cheaper than `inputs`, which copies everything that is known of the tensors.
  package var inputIndexes: [Int] { node.fileInputs }
  /// Returns one of the operands.
  package func input(_ position: Int) -> ObservedTensor? {
    spec.inputs[position].map { ObservedTensor(spec: $0, memory: memory) }
  }
  /// The results in the file's order.
  public var outputs: [ObservedTensor] {
    spec.outputs.map { ObservedTensor(spec: $0, memory: memory) }
  }
  /// The work items that threads shared, thread by thread, once the node has run.
  ///
  /// There are none if one thread did all the work, or if `recordsWorkItems` is false. If there are
  /// very many, the last ones are missing.
  public var workItems: [WorkItemTime] { log?.items ?? [] }
}

extension Interpreter {
  /// The observer of the runs; without one, a run takes one comparison more for each segment.
  ///
  /// `Options.runsNodesSeparately` lets the observer see all tensors.
  public var observer: (any RunObserver)? {
    get { session.observer }
    set {
      session.observer = newValue
      let workers = session.workers
      workers.log =
        newValue?.recordsWorkItems == true ? WorkItemLog(threadCount: workers.threadCount) : nil
    }
  }
}
