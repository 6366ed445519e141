/// DENSIFY: a sparse constant with all its zeros.
package struct Densify: Operator {
  package static let definition = OperatorDefinition(
    "DENSIFY", types: [.float32, .float16, .int8], sparseInputs: [0],
    resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  private let layout: SparseLayout

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let input = try node.input(0)
    try node.require(try node.output(0), input.type)
    layout = try SparseLayout(of: input, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    [context.shape(0)]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    switch input.type {
    case .float32: expand(input, to: output, as: Float.self)
    case .float16: expand(input, to: output, as: Float16.self)
    default: expand(input, to: output, as: Int8.self)
    }
  }

  private func expand<Element: AdditiveArithmetic & BitwiseCopyable>(
    _ input: TensorView, to output: TensorView, as _: Element.Type
  ) {
    layout.expand(
      UnsafeBufferPointer(input.values(Element.self)), to: output.values(Element.self),
      output.control)
  }
}
