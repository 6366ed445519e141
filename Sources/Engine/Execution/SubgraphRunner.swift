/// Plans and runs one subgraph of one interpreter.
final class SubgraphRunner {
  let subgraph: Subgraph
  /// The session owns its runners, and outlives them.
  unowned(unsafe) let session: Session
  private(set) var plan: Plan
  private let states = NodeStates()
  /// Plans for other shapes that calls may use again; the most recently used one is last.
  private var otherPlans: [Plan] = []
  /// The shapes of results by the shapes of inputs, as far as they were asked for.
  private var resultShapes: [(inputs: [Shape], results: [Shape]?)] = []

  init(
    _ subgraph: Subgraph, constantInputs: [Int: TensorSpec], session: Session
  ) throws(ModelError) {
    self.subgraph = subgraph
    self.session = session
    plan = Plan(
      try TensorMemory(of: subgraph, constantInputs: constantInputs, account: session.account))
  }

  var memory: TensorMemory { plan.memory }

  var isPlanned: Bool { !plan.isEmpty }

  // MARK: Planning

  /// Plans for these shapes of the inputs, or throws and keeps the previous plan.
  ///
  /// `placesInputs` gives the inputs memory of their own, for callers that fill them in place.
  func plan(
    inputShapes: [Int: Shape], placesInputs: Bool = false
  ) throws(ModelError) {
    let memory = try TensorMemory(of: memory, inputShapes: inputShapes)
    if placesInputs { try memory.placeInputs() }
    plan = try Planner(memory: memory, session: session).plan()
    memory.resetVariables()
    // Like the official runtime, restart the random numbers.
    states.reset()
  }

  /// Plans for these shapes, or reuses an earlier plan for them; both reset the variables.
  ///
  /// In a loop that makes a list longer, shapes differ from iteration to iteration, and come again
  /// in the next run.
  func plan(for shapes: [Shape]) throws(ModelError) {
    let previous = plan
    if let index = otherPlans.firstIndex(where: { $0.isMade(for: shapes) }) {
      plan = otherPlans.remove(at: index)
      resetState()
    } else {
      let inputs = Dictionary(zip(subgraph.inputs, shapes), uniquingKeysWith: { first, _ in first })
      do throws(ModelError) {
        try plan(inputShapes: inputs)
      } catch  where !otherPlans.isEmpty {
        // Without the other plans there may be enough memory.
        otherPlans = []
        try plan(inputShapes: inputs)
      }
    }
    if !previous.isEmpty { keep(previous) }
  }

  /// Keeps a plan besides the present one, and drops the least recently used ones.
  ///
  /// Planning again takes about as long as a few small steps. A plan with large tensors is not
  /// kept, because its steps take longer than planning.
  private func keep(_ other: Plan) {
    var byteCount = other.byteCount
    guard byteCount <= Self.maximumBytesOfOtherPlan else { return }
    byteCount += otherPlans.reduce(0) { $0 + $1.byteCount }
    while otherPlans.count == Self.maximumOtherPlans || byteCount > Self.maximumBytesOfOtherPlans {
      byteCount -= otherPlans.removeFirst().byteCount
    }
    otherPlans.append(other)
  }

  private static let maximumBytesOfOtherPlan = 1 << 20
  private static let maximumBytesOfOtherPlans = 1 << 24
  private static let maximumOtherPlans = 32

  /// Returns the shapes of the outputs for inputs of these shapes; `nil` when they depend on data.
  func resultShapes(for inputs: [Shape]) throws(ModelError) -> [Shape]? {
    if let known = resultShapes.first(where: { $0.inputs == inputs }) { return known.results }
    if !isPlanned(for: inputs) { try plan(for: inputs) }
    let results = plan.outputShapes
    if resultShapes.count == Self.maximumKnownShapes { resultShapes.removeFirst() }
    resultShapes.append((inputs, results))
    return results
  }

  /// The limit on remembered shapes.
  ///
  /// Without this memory, subgraphs that call each other with changing shapes would be planned once
  /// for every path of calls.
  private static let maximumKnownShapes = 16

  // MARK: Running

  func run() throws(ModelError) {
    try session.meter.check()
    var position = 0
    var nextNode = 0
    while nextNode < subgraph.nodes.count || position == 0 {
      if try !fits(position) {
        plan = plan.keeping(position)
        if try !restoreSegment() {
          plan = plan.adding(try makeSegment(from: nextNode))
        }
      }
      let segment = plan.segments[position]
      try segment.arena?.populateBeforeUse { () throws(ModelError) in try session.control.look() }
      try run(segment)
      nextNode = segment.nodes.upperBound
      position += 1
    }
  }

  /// Continues with a segment that ran at this position of the plan before, if its shapes fit the
  /// data.
  private func restoreSegment() throws(ModelError) -> Bool {
    let candidates = plan.others.candidates(behind: plan.segments.last)
    guard !candidates.isEmpty else { return false }
    let position = plan.segments.count
    for candidate in candidates {
      plan = plan.restoring(candidate)
      if try fits(position) {
        plan.others.recordSearch(found: true)
        return true
      }
      plan = plan.keeping(position)
    }
    plan.others.recordSearch(found: false)
    return false
  }

  private func makeSegment(from node: Int) throws(ModelError) -> PlanSegment {
    let planner = Planner(memory: memory, session: session)
    do throws(ModelError) {
      return try planner.segment(from: node, isRunning: true)
    } catch  where !plan.others.isEmpty {
      // Without the other segments there may be enough memory.
      plan.others.removeAll()
      return try planner.segment(from: node, isRunning: true)
    }
  }

  /// Returns whether there is a segment at this position whose shapes fit the data.
  ///
  /// Shapes that were computed from data must be the same as when the segment was planned.
  private func fits(_ position: Int) throws(ModelError) -> Bool {
    guard position < plan.segments.count else { return false }
    let segment = plan.segments[position]
    for (tensor, shape) in segment.entryShapes where memory.slots[tensor].shape != shape {
      return false
    }
    if segment.dataDependentNodes.isEmpty { return true }
    let inference = ShapeInference(memory: memory, session: session)
    for node in segment.dataDependentNodes {
      let shapes = try inference.shapes(of: node, inference.context(of: node))
      for (output, shape) in zip(node.outputs, shapes ?? [])
      where memory.slots[output].shape != shape {
        return false
      }
    }
    return true
  }

  private func run(_ segment: PlanSegment) throws(ModelError) {
    let calls = segment.calls.calls
    let meter = session.meter
    if let timer = session.stepTimer { return try run(segment, timedBy: timer) }
    if let observer = session.observer { return try run(segment, watchedBy: observer) }
    var treatment = SubnormalTreatment(session.workers)
    defer { treatment.set(takesAsZero: false) }
    for index in calls.indices {
      try meter.check()
      try meter.charge(multiplyAdds: calls[index].cost, at: segment.steps[index].node.spec)
      treatment.prepare(for: calls[index])
      try run(calls[index], index, of: segment)
    }
    try meter.check()
  }

  /// Runs a segment, and times its nodes.
  private func run(_ segment: PlanSegment, timedBy timer: StepTimer) throws(ModelError) {
    let calls = segment.calls.calls
    let meter = session.meter
    let (first, caller) = timer.enter(subgraph)
    var treatment = SubnormalTreatment(session.workers)
    defer { treatment.set(takesAsZero: false) }
    for index in calls.indices {
      treatment.prepare(for: calls[index])
      let timerIndex = first + calls[index].node
      timer.begin(timerIndex)
      try meter.check()
      try meter.charge(multiplyAdds: calls[index].cost, at: segment.steps[index].node.spec)
      try run(calls[index], index, of: segment)
      if timer.end(timerIndex, isIdle: calls[index].isIdle) {
        timer.show(ObservedNode(segment, step: index, memory: memory, log: nil), at: timerIndex)
      }
    }
    timer.leave(to: caller)
    try meter.check()
  }

  /// Runs a segment node by node for an observer, which sees folded nodes in their places as well.
  private func run(
    _ segment: PlanSegment, watchedBy observer: any RunObserver
  ) throws(ModelError) {
    let calls = segment.calls.calls
    let log = session.workers.log
    var folded = segment.foldedNodes[...]
    var treatment = SubnormalTreatment(session.workers)
    defer { treatment.set(takesAsZero: false) }
    func showFolded(before node: Int) {
      while let next = folded.first, next < node {
        folded.removeFirst()
        let node = ObservedNode(folded: subgraph.nodes[next], memory: memory)
        observer.willRun(node)
        observer.didRun(node)
      }
    }
    for index in calls.indices {
      showFolded(before: segment.steps[index].node.spec.index)
      try session.meter.check()
      try session.meter.charge(
        multiplyAdds: calls[index].cost, at: segment.steps[index].node.spec)
      let node = ObservedNode(segment, step: index, memory: memory, log: log)
      observer.willRun(node)
      treatment.prepare(for: calls[index])
      try run(calls[index], index, of: segment)
      treatment.set(takesAsZero: false)
      // Skip the observer if the step was cut short: its results are incomplete.
      try session.meter.check()
      observer.didRun(node)
      log?.clear()
    }
    showFolded(before: segment.nodes.upperBound)
  }

  @inline(__always)
  private func run(
    _ call: StepCalls.Call, _ index: Int, of segment: PlanSegment
  ) throws(ModelError) {
    if let body = call.body, body._withUnsafeGuaranteedRef({ $0.run(call.context) }) { return }
    let planned = segment.steps[index]
    try planned.node.operation.run(
      RunContext(
        node: planned.node, memory: memory, session: session, states: states,
        makesOutputs: planned.makesOutputs))
  }

  /// Resets variables and the nodes' states to what they were before the first run.
  func resetState() {
    memory.resetVariables()
    states.reset()
  }
}
