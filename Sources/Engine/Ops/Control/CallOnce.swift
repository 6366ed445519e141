import OcellusModelFile

/// CALL_ONCE: runs a subgraph that initializes variables and tables, the first time only.
///
/// An interpreter runs the subgraph once, even if several nodes call it.
package struct CallOnce: Operator {
  package static let definition = OperatorDefinition(
    "CALL_ONCE", types: [], make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .stateful
  private let initialization: SubgraphCall
  package var callees: [Int] { [initialization.index] }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(0, outputs: 0)
    initialization = try SubgraphCall(
      node, subgraph: try node.options(BuiltinOptionsTag.callOnce).integer(0), inputs: [],
      outputTypes: [])
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] { [] }

  package func run(_ context: RunContext) throws(ModelError) {
    guard !context.resources.isInitialized(initialization.index) else { return }
    _ = try context.call(initialization.index, with: [])
    context.resources.markInitialized(initialization.index)
  }

  /// Returns a step that does nothing and is accepted once the subgraph has run.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    let (resources, index) = (context.resources, initialization.index)
    var step = Step(kernelName: "called before") { _ in }
    step.accepts = { _ in resources.isInitialized(index) }
    return step
  }
}
