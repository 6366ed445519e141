import OcellusKernelABI

/// An operator that computes each element of its result from the same element of its operand.
///
/// The operators of this family differ in the ``ElementLoop`` that they choose for a node.
package struct Unary: AxisOrderAgnostic {
  package let loop: ElementLoop

  init(
    _ node: NodeSpec, _ makeLoop: (NodeSpec) throws(ModelError) -> ElementLoop
  ) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.require(
      input.type == output.type,
      "input is \(input.type.name) but the output is \(output.type.name)")
    loop = try makeLoop(node)
  }

  static func define(
    _ name: String, versions: ClosedRange<Int> = 1...1, types: [ElementType],
    resultType: OperatorDefinition.ResultType? = nil,
    makeLoop: @escaping @Sendable (NodeSpec) throws(ModelError) -> ElementLoop
  ) -> OperatorDefinition {
    OperatorDefinition(name, versions: versions, types: types, resultType: resultType) {
      node throws(ModelError) in
      try Unary(node, makeLoop)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    if let domain = loop.domain, !domain.contains(input) {
      throw context.error(domain.complaint)
    }
    loop.apply(input, output)
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    // A kernel cannot report an element outside the domain.
    guard loop.domain == nil else { return nil }
    switch loop.mapping {
    case .table(let table): return .lookUp(table, context)
    case .interpolated: return .plain(loop, context)
    case .body:
      if let conversion = loop.conversion { return .conversion(conversion, context) }
      guard let function = loop.tuned else { return .plain(loop, context) }
      return try clampedSource(function, context) ?? .floats(function, orElse: loop, context)
        ?? .plain(loop, context)
    }
  }

  /// Fuses a clamping activation into the operator that computes its operand, if that one can
  /// clamp.
  private func clampedSource(
    _ function: UnaryFloatFunction, _ context: PlanContext
  ) throws(ModelError) -> Step? {
    guard case .clamp(let range) = function, let source = context.source(of: 0) else { return nil }
    return try source.operation.plan(
      source.context, clampingTo: range.lowerBound...range.upperBound)?.fusing(0)
  }
}
