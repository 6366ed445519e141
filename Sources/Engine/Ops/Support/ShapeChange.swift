/// An operator that gives the elements of its first operand, in their order, another shape.
package protocol ShapeChange: Operator {}

extension ShapeChange {
  package func run(_ context: RunContext) throws(ModelError) {
    let input = context.input(0)
    let output =
      input.type == .string
      ? try context.makeOutput(0, shape: context.output(0).shape, byteCount: input.bytes.count)
      : context.output(0)
    input.copyBytes(to: output)
  }
}
