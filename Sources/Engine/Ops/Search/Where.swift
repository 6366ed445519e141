/// WHERE: the indices of all elements that are not zero, a row for each.
package struct Where: Operator {
  package static let definition = OperatorDefinition(
    "WHERE", versions: 1...2,
    types: [.bool, .float32, .int8, .uint8, .int32, .uint32, .int64],
    resultType: .always(.int64)
  ) { node throws(ModelError) in try Self(node) }

  package let shapeInputs = [0]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1)
    _ = try node.input(0)
    try node.require(try node.output(0), .int64)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let rank = context.shape(0).rank
    try context.require(rank > 0, "takes no scalar")
    var count = 0
    if let condition = context.value(0) { forEachTrue(in: condition) { _ in count += 1 } }
    return [[count, rank]]
  }

  package func run(_ context: RunContext) {
    let condition = context.input(0)
    let strides = condition.shape.strides
    let indices = context.output(0).values(Int64.self)
    var next = 0
    forEachTrue(in: condition) { position in
      var rest = position
      for stride in strides {
        indices[next] = Int64(rest / stride)
        rest %= stride
        next += 1
      }
    }
  }

  private func forEachTrue(in condition: TensorView, _ body: (Int) -> Void) {
    switch condition.type {
    case .float32: forEachNonzero(condition.values(Float.self), body)
    case .int32, .uint32: forEachNonzero(condition.values(Int32.self), body)
    case .int64: forEachNonzero(condition.values(Int64.self), body)
    default: forEachNonzero(condition.values(UInt8.self), body)
    }
  }

  private func forEachNonzero<Value: Numeric>(
    _ values: UnsafeMutableBufferPointer<Value>, _ body: (Int) -> Void
  ) {
    for (position, value) in values.enumerated() where value != 0 { body(position) }
  }
}
