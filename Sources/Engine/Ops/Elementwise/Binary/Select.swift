/// SELECT and SELECT_V2: elements of one tensor where a condition holds, else of another.
package struct Select: Operator {
  /// SELECT takes a condition of the operands' shape, a scalar, or one for every outermost slice.
  package static let definition = OperatorDefinition(
    "SELECT", versions: 1...4, types: [.bool], resultType: .ofInput(1)
  ) { node throws(ModelError) in try Self(node, broadcasts: false) }

  /// SELECT_V2 broadcasts all three operands.
  package static let broadcasting = OperatorDefinition(
    "SELECT_V2", versions: 1...2, types: [.bool], resultType: .ofInput(1)
  ) { node throws(ModelError) in try Self(node, broadcasts: true) }

  private let broadcasts: Bool
  private let declaredShape: Shape

  init(_ node: NodeSpec, broadcasts: Bool) throws(ModelError) {
    try node.requireOperands(3)
    try node.require(try node.input(0), .bool)
    let (first, output) = (try node.input(1), try node.output(0))
    try node.requireSameType(first, try node.input(2))
    try node.requireSameType(first, output)
    try node.require(first, oneOf: ElementType.upTo64Bits)
    self.broadcasts = broadcasts
    declaredShape = output.shape
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (condition, first, second) = (context.shape(0), context.shape(1), context.shape(2))
    // Among shapes of one element each, the official kernel goes by the file.
    if declaredShape.isReasonable,
      [condition, first, second, declaredShape].allSatisfy({ $0.elementCount == 1 })
    {
      return [declaredShape]
    }
    if broadcasts { return [try context.broadcastShape(of: 0..<3)] }
    try context.require(first == second, "the alternatives have different shapes")
    try context.require(
      condition == first || condition.rank == 0
        || (condition.rank == 1 && first.rank > 0 && condition[0] == first[0]),
      "the condition fits neither the alternatives nor their outermost axis")
    return [first]
  }

  package func run(_ context: RunContext) {
    switch context.output(0).type.byteWidth {
    case 1: select(context, UInt8.self)
    case 2: select(context, UInt16.self)
    case 4: select(context, UInt32.self)
    default: select(context, UInt64.self)
    }
  }

  private func select<Element: BitwiseCopyable>(_ context: RunContext, _: Element.Type) {
    let (condition, first, second) = (context.input(0), context.input(1), context.input(2))
    let output = context.output(0)
    guard let conditions = condition.values(Boolean.self).baseAddress,
      let firsts = first.values(Element.self).baseAddress,
      let seconds = second.values(Element.self).baseAddress,
      let results = output.values(Element.self).baseAddress
    else { return }
    let loops = BroadcastLoops(
      shape(of: condition, selectingIn: output.shape), first.shape, second.shape,
      to: output.shape)
    let strides = loops.rowStrides
    loops.forEachRow { start, starts in
      let (condition, a, b) = (
        conditions + starts[0], firsts + starts[1], seconds + starts[2]
      )
      for index in 0..<loops.rowLength {
        results[start + index] =
          condition[index &* strides[0]].isTrue ? a[index &* strides[1]] : b[index &* strides[2]]
      }
    }
  }

  /// The condition's shape, with SELECT's outermost axis in its place.
  private func shape(of condition: TensorView, selectingIn result: Shape) -> Shape {
    guard !broadcasts, condition.shape.rank == 1, result.rank > 1 else { return condition.shape }
    var shape = Shape([Int](repeating: 1, count: result.rank))
    shape[0] = condition.shape[0]
    return shape
  }
}
