/// One subgraph of one interpreter: its plan, and the loop that runs it.
final class SubgraphRunner {
  let subgraph: Subgraph
  /// The session has its runners, and outlives them.
  unowned(unsafe) let session: Session
  private(set) var plan: Plan
  private let states = NodeStates()
  /// Plans for other shapes, which calls may come back to, those that were used last behind.
  private var otherPlans: [Plan] = []
  /// What calls with some shapes return, as far as it was asked for.
  private var resultShapes: [(inputs: [Shape], results: [Shape]?)] = []

  init(_ subgraph: Subgraph, session: Session) throws(ModelError) {
    self.subgraph = subgraph
    self.session = session
    plan = Plan(try TensorMemory(of: subgraph, account: session.account))
  }

  var memory: TensorMemory { plan.memory }

  var isPlanned: Bool { !plan.isEmpty }

  // MARK: Planning

  /// Plans for these shapes of the inputs, or throws and keeps the plan from before.
  ///
  /// `placesInputs` is for callers that fill the inputs in place.
  func plan(
    inputShapes: [Int: Shape], placesInputs: Bool = false
  ) throws(ModelError) {
    let memory = try TensorMemory(of: memory, inputShapes: inputShapes)
    if placesInputs { try memory.placeInputs() }
    plan = try Planner(memory: memory, session: session).plan()
    memory.resetVariables()
    // As in the official runtime, random numbers begin again.
    states.reset()
  }

  /// Plans for these shapes, or takes a plan that was made for them before; variables begin again in either case.
  ///
  /// The shapes of a loop that makes a list longer are others in each of its rounds, and the same ones again in the next run.
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
        // There may be room for it without them.
        otherPlans = []
        try plan(inputShapes: inputs)
      }
    }
    if !previous.isEmpty { keep(previous) }
  }

  /// Keeps a plan beside the present one, instead of those that were not used for longest.
  ///
  /// Planning takes as long as small steps do: those of a plan with large tensors take longer, and it is made again.
  private func keep(_ other: Plan) {
    var byteCount = other.byteCount
    guard byteCount <= Self.mostBytesOfOtherPlan else { return }
    byteCount += otherPlans.reduce(0) { $0 + $1.byteCount }
    while otherPlans.count == Self.mostOtherPlans || byteCount > Self.mostBytesOfOtherPlans {
      byteCount -= otherPlans.removeFirst().byteCount
    }
    otherPlans.append(other)
  }

  private static let mostBytesOfOtherPlan = 1 << 20
  private static let mostBytesOfOtherPlans = 1 << 24
  private static let mostOtherPlans = 32

  /// The shapes of the outputs for inputs of these shapes; `nil` when they depend on data.
  func resultShapes(for inputs: [Shape]) throws(ModelError) -> [Shape]? {
    if let known = resultShapes.first(where: { $0.inputs == inputs }) { return known.results }
    if !isPlanned(for: inputs) { try plan(for: inputs) }
    let results = plan.outputShapes
    if resultShapes.count == Self.mostKnownShapes { resultShapes.removeFirst() }
    resultShapes.append((inputs, results))
    return results
  }

  /// Subgraphs that call each other with changing shapes would otherwise be planned as often as
  /// there are ways through them.
  private static let mostKnownShapes = 16

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
      segment.arena?.willTouch()
      try run(segment)
      nextNode = segment.nodes.upperBound
      position += 1
    }
  }

  /// Goes on with a segment that ran at this place of the plan before, if the data makes the shapes that it is for.
  private func restoreSegment() throws(ModelError) -> Bool {
    let candidates = plan.others.candidates(behind: plan.segments.last)
    guard !candidates.isEmpty else { return false }
    let position = plan.segments.count
    for candidate in candidates {
      plan = plan.restoring(candidate)
      if try fits(position) {
        plan.others.noteSearch(found: true)
        return true
      }
      plan = plan.keeping(position)
    }
    plan.others.noteSearch(found: false)
    return false
  }

  private func makeSegment(from node: Int) throws(ModelError) -> PlanSegment {
    let planner = Planner(memory: memory, session: session)
    do throws(ModelError) {
      return try planner.segment(from: node, isRunning: true)
    } catch  where !plan.others.isEmpty {
      // There may be room for it without them.
      plan.others.removeAll()
      return try planner.segment(from: node, isRunning: true)
    }
  }

  /// Whether there is a segment at this position, and the shapes that were computed from data come
  /// out as when it was planned.
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
    for index in calls.indices {
      try meter.check()
      try meter.charge(multiplyAdds: calls[index].cost, at: segment.steps[index].node.spec)
      try run(calls[index], index, of: segment)
    }
    try meter.check()
  }

  /// The same by the clock.
  private func run(_ segment: PlanSegment, timedBy timer: StepTimer) throws(ModelError) {
    let calls = segment.calls.calls
    let meter = session.meter
    let (first, caller) = timer.enter(subgraph)
    for index in calls.indices {
      let place = first + calls[index].node
      timer.begin(place)
      try meter.check()
      try meter.charge(multiplyAdds: calls[index].cost, at: segment.steps[index].node.spec)
      try run(calls[index], index, of: segment)
      if timer.end(place, isIdle: calls[index].isIdle) {
        timer.show(ObservedNode(segment, step: index, memory: memory, log: nil), at: place)
      }
    }
    timer.leave(to: caller)
    try meter.check()
  }

  /// The same node by node, those that were computed while planning at their places among the others.
  private func run(
    _ segment: PlanSegment, watchedBy observer: any RunObserver
  ) throws(ModelError) {
    let calls = segment.calls.calls
    let log = session.workers.log
    var folded = segment.foldedNodes[...]
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
      try run(calls[index], index, of: segment)
      // What was left undone in the middle of a step is nothing to look at.
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

  /// Sets variables and what nodes remember back to how they were before the first run.
  func resetState() {
    memory.resetVariables()
    states.reset()
  }
}
