/// BROADCAST_ARGS: the shape to which two shapes, given as tensors, can both be broadcast.
package struct BroadcastArgs: Operator {
  package static let definition = OperatorDefinition("BROADCAST_ARGS", types: [.int32, .int64]) {
    node throws(ModelError) in try Self(node)
  }

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2)
    let first = try node.input(0)
    try node.requireSameType(first, try node.input(1))
    try node.requireSameType(first, try node.output(0))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (first, second) = (context.shape(0), context.shape(1))
    try context.require(first.rank == 1 && second.rank == 1, "the inputs are no vectors")
    return [[max(first[0], second[0])]]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let output = context.output(0)
    if output.type == .int32 {
      try broadcast(context, to: output.values(Int32.self))
    } else {
      try broadcast(context, to: output.values(Int64.self))
    }
  }

  private func broadcast<Value: FixedWidthInteger & BitwiseCopyable>(
    _ context: RunContext, to extents: UnsafeMutableBufferPointer<Value>
  ) throws(ModelError) {
    let (first, second) = (context.input(0).values(Value.self), context.input(1).values(Value.self))
    for chunk in context.chunks(of: extents.count) {
      for index in chunk {
        let back = extents.count - index
        let a = back <= first.count ? first[first.count - back] : 1
        let b = back <= second.count ? second[second.count - back] : 1
        try context.require(
          a == b || a == 1 || b == 1, "\(a) and \(b) cannot be broadcast to one")
        extents[index] = a == 1 ? b : a
      }
    }
  }
}
