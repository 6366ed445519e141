/// BITCAST: the same bytes as elements of another type.
package struct Bitcast: Operator {
  package static let definition = OperatorDefinition(
    "BITCAST", types: ElementType.allCases.filter { $0.byteWidth != nil },
    make: { node throws(ModelError) in try Self(node) })

  private let inputWidth: Int
  private let outputWidth: Int

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    guard let inputWidth = input.type.byteWidth, let outputWidth = output.type.byteWidth else {
      throw node.unsupported("cannot take the bits of \(input.type.name) for \(output.type.name)")
    }
    (self.inputWidth, self.outputWidth) = (inputWidth, outputWidth)
  }

  /// Returns the shape: wider elements get a new last axis, narrower ones are joined along the
  /// last.
  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let extents = context.shape(0).dimensions
    if inputWidth > outputWidth { return [Shape(extents + [inputWidth / outputWidth])] }
    if inputWidth == outputWidth { return [Shape(extents)] }
    try context.require(
      extents.last == outputWidth / inputWidth, "the last extent must make up one element")
    return [Shape(extents.dropLast())]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    context.input(0).copyBytes(to: context.output(0))
  }
}
