/// The steps of a segment as the loop over them takes them: nothing to look up, and nothing to hold
/// on to while they run.
///
/// To retain and release the closure of a step that multiplies by a few kilobytes of weights would
/// take a tenth of its time.
final class StepCalls {
  struct Call {
    /// `nil` where the reference runs.
    fileprivate(set) var body: Unmanaged<StepBody>?
    fileprivate(set) var context: StepContext
    /// What a run is charged.
    fileprivate(set) var cost: Int
    /// Which node it is, in its subgraph.
    fileprivate(set) var node: Int
    /// Whether nothing is done here: another node does the work, or there is none.
    fileprivate(set) var isIdle: Bool
  }

  let calls: UnsafeBufferPointer<Call>
  /// The owners of what the calls name.
  private let bodies: [StepBody]

  /// - Precondition: nodes, working memory and workers outlive this.
  init(
    _ steps: [PlannedNode],
    addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, workers: Workers
  ) {
    let calls = UnsafeMutableBufferPointer<Call>.allocate(capacity: steps.count)
    var bodies: [StepBody] = []
    bodies.reserveCapacity(steps.count)
    let reference = WorkersReference(workers)
    for (index, planned) in steps.enumerated() {
      var body: Unmanaged<StepBody>?
      if let step = planned.step {
        bodies.append(StepBody(step))
        body = .passUnretained(bodies[bodies.count - 1])
      }
      let context = StepContext(
        inputs: planned.node.inputTable, outputs: planned.node.outputTable, addresses: addresses,
        scratch: planned.scratch ?? UnsafeMutableRawPointer(addresses), workers: reference)
      calls.initializeElement(
        at: index,
        to: Call(
          body: body, context: context, cost: planned.cost, node: planned.node.spec.index,
          isIdle: planned.isIdle))
    }
    self.calls = UnsafeBufferPointer(calls)
    self.bodies = bodies
  }

  deinit { calls.deallocate() }
}

/// The closures of a step where they can be called without being copied.
final class StepBody {
  private let accepts: (@Sendable (StepContext) -> Bool)?
  private let body: @Sendable (StepContext) -> Void

  init(_ step: Step) { (accepts, body) = (step.accepts, step.body) }

  /// - Returns: whether the step could do what these operands ask for.
  func run(_ context: StepContext) -> Bool {
    if let accepts, !accepts(context) { return false }
    body(context)
    return true
  }
}
