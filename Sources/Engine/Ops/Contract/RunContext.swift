import OcellusKernelABI

/// The operands and results of an operator while it runs.
package struct RunContext {
  package let node: Node
  let memory: TensorMemory
  let session: Session
  let states: NodeStates
  /// Whether the plan leaves the shapes of the results to the run.
  var makesOutputs = false

  /// Whether the node is computed with the bits of LiteRT's delegate XNNPACK.
  package var isDelegated: Bool { node.isDelegated }
  /// The processor whose micro-kernels of XNNPACK give the node its bits, if LiteRT delegates it.
  var delegateProcessor: LiteRTProcessor? { node.delegateProcessor }

  /// Returns an operand that the operator's `init` has required.
  package func input(_ position: Int) -> TensorView {
    view(node.inputs[position])
  }

  package func optionalInput(_ position: Int) -> TensorView? {
    guard position < node.inputs.count, node.inputs[position] >= 0 else { return nil }
    return view(node.inputs[position])
  }

  package var inputCount: Int { node.inputs.count }

  package func output(_ position: Int) -> TensorView {
    view(node.outputs[position])
  }

  private func view(_ tensor: Int) -> TensorView {
    var view = memory.view(tensor)
    view.control = session.control
    return view
  }

  package var outputCount: Int { node.outputs.count }

  /// Returns the context of `outputShapes`, with the values of any operands.
  package func operands(valued positions: [Int]) -> ShapeContext {
    ShapeInference(memory: memory, session: session).context(of: node, valued: positions)
  }

  /// Allocates a result whose size is known only now: strings, and results of operators with the
  /// trait `shapesOutputsAtRun`.
  ///
  /// `byteCount` is needed for strings only; otherwise it follows from the shape.
  @discardableResult
  package func makeOutput(
    _ position: Int, shape: Shape, byteCount: Int? = nil
  ) throws(ModelError) -> TensorView {
    // Later nodes were planned for the shapes that were known.
    try require(
      makesOutputs || memory.slots[node.outputs[position]].shape == shape,
      "makes the shape \(shape) where \(memory.shape(of: node.outputs[position])) was planned")
    try memory.makeResult(
      node.outputs[position], shape: shape, byteCount: byteCount, by: node)
    return output(position)
  }

  /// Returns an error in the data that this node was given.
  package func error(
    _ message: String, _ kind: ModelError.Kind = .invalidData
  ) -> ModelError { node.spec.error(message, kind) }

  package func require(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws(ModelError) {
    if !condition { throw error(message()) }
  }

  /// Throws when the run was cancelled or has exceeded its time limit; for loops that may take
  /// long.
  package func checkpoint() throws(ModelError) { try session.control.checkpoint() }

  /// Does the same as `checkpoint()`, for loops with so little work per iteration that reading the
  /// clock would take as long: adds up the work and checks now and then.
  package func checkpoint(
    after work: Int, _ question: inout StoppableWork
  ) throws(ModelError) {
    // `isOver` records in the run's control that it was stopped, so `checkpoint` throws.
    if question.isOver(after: work) { try checkpoint() }
  }

  /// The control of the run, which loops that cannot throw ask whether to stop early.
  package var control: RunControl { session.control }

  /// Charges the run's budget for work that is not part of a planned node's cost.
  package func charge(multiplyAdds count: Int) throws(ModelError) {
    try session.meter.charge(multiplyAdds: count, at: node.spec)
  }

  /// Allocates memory that outlives the run, for `state`.
  func makeBlock(byteCount: Int) throws(ModelError) -> MemoryBlock {
    try MemoryBlock(byteCount: byteCount, account: session.account) {
      "the state of \(node.spec.operatorName)"
    }
  }

  /// Runs another subgraph, which must be among the operator's `callees`.
  ///
  /// - Returns: views of its outputs, valid until it is run again. They may be views of the
  ///   inputs, which the subgraph reads in place.
  package func call(
    _ subgraph: Int, with inputs: [TensorView]
  ) throws(ModelError) -> [TensorView] {
    let callee = try self.subgraph(subgraph)
    var results: [SubgraphArgument] = []
    try callee.call(with: inputs.map { SubgraphArgument($0) }, into: &results, by: node)
    return results.indices.map { callee.view(results[$0], ofOutput: $0) }
  }

  /// Returns the runner of a subgraph among the operator's `callees`.
  func subgraph(_ index: Int) throws(ModelError) -> SubgraphRunner {
    try session.runner(for: index)
  }

  /// Returns the location of an operand.
  func location(ofInput position: Int) -> SubgraphArgument {
    memory.location(of: node.inputs[position])
  }

  /// Variables and tables that outlive a run.
  package var resources: ResourceTable { session.resources }

  /// Returns the state that this node keeps from run to run, made on first use.
  package func state<State: AnyObject>(_ make: () -> State) -> State {
    states.state(of: node, make)
  }
}

/// The state that the nodes of a subgraph keep from run to run.
final class NodeStates {
  private var states: [Int: AnyObject] = [:]

  func state<State: AnyObject>(of node: Node, _ make: () -> State) -> State {
    if let state = states[node.spec.index] as? State { return state }
    let state = make()
    states[node.spec.index] = state
    return state
  }

  func reset() { states = [:] }
}
