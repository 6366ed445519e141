/// PAD and PADV2: a tensor surrounded by one value, zero unless an operand gives another.
package struct Pad: Rearrangement {
  package static let zero = definition("PAD")
  package static let value = definition("PADV2")

  private static func definition(_ name: String) -> OperatorDefinition {
    OperatorDefinition(
      name, versions: 1...6,
      types: [.float32, .float16, .bfloat16, .uint8, .int8, .int16, .int32, .int64, .bool]
    ) { node throws(ModelError) in try Self(node) }
  }

  package let shapeInputs = [1]
  package let background: Background?

  private init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...3)
    let (input, output) = (try node.input(0), try node.output(0))
    try node.requireSameType(input, output)
    try node.require(node.input(1), .int64, .int32, .int8, .int16, .bool)
    let zeroPoints = Self.zeroPoints(of: input)
    if let value = node.optionalInput(2) {
      try node.requireSameType(input, value)
      if zeroPoints != nil { try node.requireSameQuantization(output, value) }
      background = .input(2)
    } else if let zeroPoints {
      // Zero in real numbers is the zero point in integers.
      let zeroPoint = output.uniformZeroPoint
      try node.require(
        zeroPoints.contains(zeroPoint),
        "\(input.type.name) cannot hold the zero point \(zeroPoint)")
      background = .integer(zeroPoint)
    } else {
      background = .integer(0)
    }
  }

  /// The zero points that a type can have where it stands for real numbers: the official kernel
  /// takes that for granted of `uint8` only.
  private static func zeroPoints(of tensor: TensorSpec) -> ClosedRange<Int>? {
    switch tensor.type {
    case .uint8: 0...255
    case .int8 where tensor.quantization != nil: -128...127
    case .int16 where tensor.quantization != nil: -32768...32767
    default: nil
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(shape.rank <= 5, "has more than 5 dimensions")
    try context.require(
      context.optionalShape(2)?.elementCount ?? 1 == 1, "the padding value is not one element")
    return [try Paddings(context, input: 1, rank: shape.rank).grown(shape)]
  }

  /// How much it puts around its operand, if that is known before the run.
  func paddings(_ context: PlanContext) -> Paddings? {
    guard let shape = context.inputShapes[0], context.constants[1] != nil else { return nil }
    return try? Paddings(ShapeContext(context), input: 1, rank: shape.rank)
  }

  package func moves(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementMove] {
    let shape = operands.shape(0)
    let paddings = try Paddings(operands, input: 1, rank: shape.rank)
    return [ElementMove(from: .input(0), paddings.centre(shape, in: results[0]))]
  }
}
