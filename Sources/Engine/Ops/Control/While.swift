import OcellusModelFile

/// WHILE: applies a subgraph to its own results as long as another subgraph returns true.
package struct While: Operator {
  package static let definition = OperatorDefinition(
    "WHILE", types: [], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = [.stateful, .shapesOutputsAtRun]
  private let condition: SubgraphCall
  private let body: SubgraphCall
  package var callees: [Int] { [condition.index, body.index] }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(0...Int.max, outputs: node.inputs.count...node.inputs.count)
    let options = node.options(BuiltinOptionsTag.while)
    condition = try SubgraphCall(
      node, subgraph: try options.integer(0), inputs: node.inputs[...], outputTypes: [.bool])
    body = try SubgraphCall(
      node, subgraph: try options.integer(1), inputs: node.inputs[...],
      outputTypes: node.outputs.map(\.type))
    try node.require(condition.index != body.index, "the condition is its own body")
    for (input, output) in zip(node.inputs, node.outputs) {
      try node.require(input?.type == output.type, "the type of \(output.label) changes")
    }
  }

  /// Returns whether the body passes the variable at a position through.
  func keepsVariable(at position: Int, in subgraphs: [Subgraph?]) -> Bool {
    subgraphs[body.index]?.keepsInput(at: position) ?? false
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  /// Returns the shapes of the operands, if the body keeps them.
  package func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]? {
    let shapes = (0..<context.inputCount).map { context.shape($0) }
    _ = try context.resultShapes(ofSubgraph: condition.index, for: shapes)
    return try context.resultShapes(ofSubgraph: body.index, for: shapes) == shapes ? shapes : nil
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (condition, body) = (
      try context.subgraph(condition.index), try context.subgraph(body.index)
    )
    let variables = context.state { LoopVariables(count: context.inputCount) }
    variables.begin(context)
    while try goesOn(context, condition, variables) {
      try variables.advance(by: body, context)
    }
    for position in 0..<context.inputCount {
      try context.makeOutput(
        position, copying: body.view(variables.values[position], ofOutput: position))
    }
  }

  private func goesOn(
    _ context: RunContext, _ condition: SubgraphRunner, _ variables: LoopVariables
  ) throws(ModelError) -> Bool {
    let flag = try variables.ask(condition, context)
    try context.require(
      flag.byteCount == 1 && flag.shape.rank <= 1, "the condition is not one element")
    return flag.base?.load(as: UInt8.self) ?? 0 != 0
  }
}

/// The variables of a loop and their memory between iterations.
///
/// The body's results are in the body's own memory, which its next run overwrites. Every variable
/// therefore has two blocks, one with its value and one for its next value: a result may be a view
/// of any variable's present value, so no present value is overwritten.
private final class LoopVariables {
  private(set) var values: [SubgraphArgument] = []
  private var results: [SubgraphArgument] = []
  private var present: [MemoryBlock?]
  private var next: [MemoryBlock?]

  init(count: Int) {
    present = .init(repeating: nil, count: count)
    next = present
  }

  /// Takes the values of the node's operands without copying them.
  func begin(_ context: RunContext) {
    values.removeAll(keepingCapacity: true)
    for position in present.indices { values.append(context.location(ofInput: position)) }
  }

  /// Returns the first result of a subgraph for the current values.
  func ask(
    _ condition: SubgraphRunner, _ context: RunContext
  ) throws(ModelError) -> SubgraphArgument {
    try condition.call(with: values, into: &results, by: context.node)
    return results[0]
  }

  /// Replaces the values by the body's results, copied to memory that the next run of the body does
  /// not overwrite.
  ///
  /// A variable that the body passes through keeps its value.
  func advance(by body: SubgraphRunner, _ context: RunContext) throws(ModelError) {
    // Releases blocks of another size, which are useless if the sizes keep changing.
    for index in values.indices where next[index]?.byteCount != values[index].byteCount {
      next[index] = nil
    }
    try body.call(with: values, into: &results, by: context.node)
    for index in results.indices where !body.subgraph.keepsInput(at: index) {
      let result = results[index]
      var block = next[index]
      if block?.byteCount != result.byteCount {
        next[index] = nil
        block = try context.makeBlock(byteCount: result.byteCount)
      }
      if let block, let source = result.base {
        block.base.copyMemory(
          from: source, byteCount: result.byteCount, unless: context.control.isOver)
      }
      values[index] = SubgraphArgument(
        shape: result.shape, base: block?.base, byteCount: result.byteCount)
      next[index] = present[index]
      present[index] = block
    }
  }
}
