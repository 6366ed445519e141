import OcellusModelFile

/// IF, STABLEHLO_CASE and STABLEHLO_COMPOSITE: the results of one of two subgraphs, of one of
/// several, or of the only one.
package struct BranchCall: Operator {
  package static let `if` = OperatorDefinition("IF", types: [.bool]) { node throws(ModelError) in
    let options = node.options(BuiltinOptionsTag.if)
    let branches = [try options.integer(0), try options.integer(1)]
    return try Self(node, choice: .condition, branches: branches)
  }
  package static let `case` = OperatorDefinition("STABLEHLO_CASE", types: [.int32]) {
    node throws(ModelError) in
    let branches = try node.options2(BuiltinOptions2Tag.stablehloCase).integers(0)
    return try Self(node, choice: .index, branches: branches ?? [])
  }
  package static let composite = OperatorDefinition("STABLEHLO_COMPOSITE", types: []) {
    node throws(ModelError) in
    let options = node.options2(BuiltinOptions2Tag.stablehloComposite)
    return try Self(node, choice: .none, branches: [try options.integer(1)])
  }

  /// The meaning of the first operand.
  private enum Choice {
    /// A condition: the first branch if it is true, else the second.
    case condition
    /// The index of the branch; the last branch for indices that are out of range.
    case index
    /// An operand like the others, which is passed on.
    case none
  }

  package let traits: OperatorTraits = [.stateful, .shapesOutputsAtRun]
  private let choice: Choice
  private let branches: [SubgraphCall]
  package var callees: [Int] { branches.map(\.index) }
  package var firstArgument: Int { choice == .none ? 0 : 1 }

  private init(_ node: NodeSpec, choice: Choice, branches: [Int]) throws(ModelError) {
    self.choice = choice
    try node.requireOperands(1...Int.max, outputs: 0...Int.max)
    try node.require(!branches.isEmpty, "has no branches")
    switch choice {
    case .condition: try node.require(node.input(0), .bool)
    case .index: try node.require(node.input(0), .int32)
    case .none: break
    }
    var calls: [SubgraphCall] = []
    for branch in branches {
      calls.append(
        try SubgraphCall(
          node, subgraph: branch, inputs: node.inputs.dropFirst(choice == .none ? 0 : 1),
          outputTypes: node.outputs.map(\.type)))
    }
    self.branches = calls
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  /// Returns the output shapes, if all branches agree on them.
  package func outputShapesAhead(_ context: ShapeContext) throws(ModelError) -> [Shape]? {
    let operands = operands(of: context.inputCount).map { context.shape($0) }
    var agreed: [Shape]?
    for branch in Set(callees).sorted() {
      let shapes = try context.resultShapes(ofSubgraph: branch, for: operands)
      guard let shapes, shapes == agreed ?? shapes else { return nil }
      agreed = shapes
    }
    return agreed
  }

  /// Returns the positions of the operands that are passed on.
  private func operands(of count: Int) -> Range<Int> { firstArgument..<count }

  package func run(_ context: RunContext) throws(ModelError) {
    let branch = try context.subgraph(branches[try branchIndex(context)].index)
    let arguments = context.state { CallArguments() }
    arguments.operands.removeAll(keepingCapacity: true)
    for position in operands(of: context.inputCount) {
      arguments.operands.append(context.location(ofInput: position))
    }
    try branch.call(with: arguments.operands, into: &arguments.results, by: context.node)
    for position in arguments.results.indices {
      try context.makeOutput(
        position, copying: branch.view(arguments.results[position], ofOutput: position))
    }
  }

  private func branchIndex(_ context: RunContext) throws(ModelError) -> Int {
    guard choice != .none else { return 0 }
    let values = context.input(0).integers
    try context.require(values.count == 1, "the choice is not one element")
    if choice == .condition { return values[0] != 0 ? 0 : 1 }
    return branches.indices.contains(values[0]) ? values[0] : branches.count - 1
  }
}

/// The operands and results of a call, kept between runs to avoid further allocations.
private final class CallArguments {
  var operands: [SubgraphArgument] = []
  var results: [SubgraphArgument] = []
}
