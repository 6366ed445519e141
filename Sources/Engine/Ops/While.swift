import OcellusModelFile

/// WHILE: a subgraph applied to its own results as long as another one says so.
package struct While: Operator {
  package static let definition = OperatorDefinition(
    "WHILE", types: [], make: { node throws(ModelError) in try Self(node) })

  /// What an iteration is charged at least, so that a loop without arithmetic or end comes to
  /// the end of the budget too.
  private static let iterationCost = 1 << 18

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

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  /// The shapes of the operands, if the body keeps them.
  package func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]? {
    let shapes = (0..<context.inputCount).map { context.shape($0) }
    _ = try context.resultShapes(ofSubgraph: condition.index, for: shapes)
    return try context.resultShapes(ofSubgraph: body.index, for: shapes) == shapes ? shapes : nil
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let variables = context.state { LoopVariables(count: context.inputCount) }
    var values = (0..<context.inputCount).map { context.input($0) }
    while try goesOn(context, values) {
      try context.checkpoint()
      try context.charge(multiplyAdds: Self.iterationCost)
      values = try variables.keep(
        try context.call(body.index, with: values), instead: values, context)
    }
    for (position, value) in values.enumerated() {
      try context.makeOutput(position, copying: value)
    }
  }

  private func goesOn(_ context: RunContext, _ values: [TensorView]) throws(ModelError) -> Bool {
    let results = try context.call(condition.index, with: values)
    let flags = results[0].integers
    try context.require(
      flags.count == 1 && results[0].shape.rank <= 1, "the condition is not one element")
    return flags[0] != 0
  }
}

/// The memory of a loop's variables from one iteration to the next.
///
/// The body's results live in the body's own memory, which its next run overwrites. Every variable
/// has two blocks, one that holds its value and one for the next value: a result may be a view of
/// any variable's present value, so no present value is overwritten.
private final class LoopVariables {
  private var present: [MemoryBlock?]
  private var next: [MemoryBlock?]

  init(count: Int) {
    present = .init(repeating: nil, count: count)
    next = present
  }

  /// Copies the body's results to where they can stay while it runs again.
  ///
  /// A variable that the body passes through is not copied.
  func keep(
    _ results: [TensorView], instead values: [TensorView], _ context: RunContext
  ) throws(ModelError) -> [TensorView] {
    var kept = results
    for (index, result) in results.enumerated() {
      let count = result.bytes.count
      if let base = result.bytes.baseAddress, base == values[index].bytes.baseAddress { continue }
      var block = next[index]
      if block?.byteCount != count {
        next[index] = nil
        block = try context.makeBlock(byteCount: count)
      }
      if let block, let source = result.bytes.baseAddress {
        block.base.copyMemory(from: source, byteCount: count)
      }
      kept[index].bytes = UnsafeMutableRawBufferPointer(start: block?.base, count: count)
      next[index] = present[index]
      present[index] = block
    }
    return kept
  }
}
