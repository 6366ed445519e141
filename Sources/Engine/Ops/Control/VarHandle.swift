import OcellusModelFile

/// VAR_HANDLE: the resource number of a variable.
package struct VarHandle: Operator {
  package static let definition = OperatorDefinition(
    "VAR_HANDLE", types: [.resource], make: { node throws(ModelError) in try Self(node) })

  /// The number is constant for the lifetime of the interpreter.
  package let traits: OperatorTraits = .readsShapesOnly
  private let name: String

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(0)
    let options = node.options(BuiltinOptionsTag.varHandle)
    let container = try options.string(0) ?? ""
    name = "variable \(container)\u{0}\(try options.string(1) ?? "")"
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.node.outputs[0].shape
    try context.require(
      shape.isReasonable && shape.elementCount == 1, "the handle is not one element")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    context.output(0).values(Int32.self)[0] = Int32(context.resources.identifier(named: name))
  }
}

extension ShapeContext {
  /// Throws unless the first operand can refer to a variable.
  func requireVariableHandle() throws(ModelError) {
    try require(shape(0).elementCount == 1, "the handle is not one element")
  }

  /// Throws unless the first operand can refer to a table.
  func requireTableHandle() throws(ModelError) {
    try require(shape(0).dimensions == [1], "the handle is not a vector of one element")
  }
}
