/// An operator that gives the elements of its first operand, in their order, another shape.
package protocol ShapeChange: Operator {}

extension ShapeChange {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? { .copy(context) }

  package func run(_ context: RunContext) throws(ModelError) {
    let input = context.input(0)
    let output =
      input.type == .string
      ? try context.makeOutput(0, shape: context.output(0).shape, byteCount: input.bytes.count)
      : context.output(0)
    input.copyBytes(to: output)
  }
}

extension Step {
  /// Returns a step that copies the bytes of the first operand, or does nothing where the planner
  /// gives both the same address.
  ///
  /// - Returns: `nil` for elements that vary in size.
  static func copy(_ context: PlanContext) -> Step? {
    let count = context.outputShapes[0].elementCount
    guard let byteCount = context.node.outputs[0].type.byteCount(ofElements: count) else {
      return nil
    }
    let move = FlatCopy(
      operand: 0, operandOffset: 0, result: 0, resultOffset: 0, byteCount: byteCount)
    return Step(kernelName: "copy", flatCopies: [move], onlyCopies: true) { step in
      if !step.isInPlace(move) {
        step.output(0).copyMemory(
          from: step.input(0), byteCount: byteCount, unless: step.workers.isOver)
      }
    }
  }
}
