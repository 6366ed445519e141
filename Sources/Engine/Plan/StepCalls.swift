/// The steps of a segment as the execution loop reads them, without lookups or reference counting.
///
/// Retaining and releasing the closure of a step that multiplies by a few kilobytes of weights
/// would take a tenth of the step's time.
final class StepCalls {
  struct Call {
    /// `nil` where the reference kernel runs.
    fileprivate(set) var body: Unmanaged<StepBody>?
    fileprivate(set) var context: StepContext
    /// The cost that the run is charged.
    fileprivate(set) var cost: Int
    /// The index of the node in its subgraph.
    fileprivate(set) var node: Int
    /// Whether nothing runs here: another node does the work, or there is none.
    fileprivate(set) var isIdle: Bool
    /// Whether subnormal floats count as zero, as in XNNPACK; `nil` where that changes no bit.
    fileprivate(set) var takesSubnormalsAsZero: Bool?
  }

  let calls: UnsafeBufferPointer<Call>
  /// The owners of the unretained references in `calls`.
  private let bodies: [StepBody]

  /// - Precondition: nodes, scratch and workers outlive this object.
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
          isIdle: planned.isIdle,
          takesSubnormalsAsZero: planned.isIdle ? nil : planned.takesSubnormalsAsZero))
    }
    self.calls = UnsafeBufferPointer(calls)
    self.bodies = bodies
  }

  deinit { calls.deallocate() }
}

/// The closures of a step in an object, which can be called without copying them.
final class StepBody {
  private let accepts: (@Sendable (StepContext) -> Bool)?
  private let body: @Sendable (StepContext) -> Void

  init(_ step: Step) { (accepts, body) = (step.accepts, step.body) }

  /// - Returns: whether the step accepted the operands.
  func run(_ context: StepContext) -> Bool {
    if let accepts, !accepts(context) { return false }
    body(context)
    return true
  }
}
