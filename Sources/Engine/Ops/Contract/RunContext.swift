/// What an operator sees while it runs: its operands and results in memory.
package struct RunContext {
  package let node: Node
  let runner: SubgraphRunner

  /// An operand that `init` has made sure is there.
  package func input(_ position: Int) -> TensorView {
    runner.view(node.inputs[position])
  }

  package func optionalInput(_ position: Int) -> TensorView? {
    guard position < node.inputs.count, node.inputs[position] >= 0 else { return nil }
    return runner.view(node.inputs[position])
  }

  package var inputCount: Int { node.inputs.count }

  package func output(_ position: Int) -> TensorView {
    runner.view(node.outputs[position])
  }

  package var outputCount: Int { node.outputs.count }

  /// What `outputShapes` was given, with the values of any operands.
  package func operands(valued positions: [Int]) -> ShapeContext {
    runner.shapeContext(of: node, valued: positions)
  }

  /// Memory for a result whose size is known only now: strings, and operators with the trait
  /// `shapesOutputsAtRun`.
  ///
  /// `byteCount` is needed for strings only; else it is what the shape takes.
  @discardableResult
  package func makeOutput(
    _ position: Int, shape: Shape, byteCount: Int? = nil
  ) throws(ModelError) -> TensorView {
    try runner.makeHeapTensor(node.outputs[position], shape: shape, byteCount: byteCount, by: node)
    return output(position)
  }

  /// An error in the data that this node was given.
  package func error(
    _ message: String, _ kind: ModelError.Kind = .invalidData
  ) -> ModelError { node.spec.error(message, kind) }

  package func require(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws(ModelError) {
    if !condition { throw error(message()) }
  }

  /// Throws when the run was cancelled or is over its time; for loops that may take long.
  package func checkpoint() throws(ModelError) { try runner.session.meter.check() }

  /// Charges the run's budget for work that no node of the plan stands for.
  package func charge(multiplyAdds count: Int) throws(ModelError) {
    try runner.session.meter.charge(multiplyAdds: count, at: node.spec)
  }

  /// Memory that outlives the run, for `state`.
  func makeBlock(byteCount: Int) throws(ModelError) -> MemoryBlock {
    try MemoryBlock(byteCount: byteCount, account: runner.session.account) {
      "the state of \(node.spec.operatorName)"
    }
  }

  /// Runs another subgraph, which must be among the operator's `callees`.
  ///
  /// - Returns: views of its outputs, valid until it is run again. They may be views of the
  ///   inputs, which the subgraph reads where they are.
  package func call(
    _ subgraph: Int, with inputs: [TensorView]
  ) throws(ModelError) -> [TensorView] {
    let callee = try self.subgraph(subgraph)
    var results: [TensorPlace] = []
    try callee.call(with: inputs.map { TensorPlace($0) }, into: &results, by: node)
    return results.indices.map { callee.view(results[$0], ofOutput: $0) }
  }

  /// The runner of a subgraph among the operator's `callees`.
  func subgraph(_ index: Int) throws(ModelError) -> SubgraphRunner {
    try runner.session.runner(for: index)
  }

  /// Where an operand is.
  func place(ofInput position: Int) -> TensorPlace {
    runner.place(of: node.inputs[position])
  }

  /// Variables and tables that outlive a run.
  package var resources: ResourceTable { runner.session.resources }

  /// What this node wants to remember from run to run, made on first use.
  package func state<State: AnyObject>(_ make: () -> State) -> State {
    runner.nodeState(node, make)
  }
}
