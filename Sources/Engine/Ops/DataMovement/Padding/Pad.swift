/// PAD and PADV2: a tensor surrounded by one value, zero unless an operand gives another.
package struct Pad: Rearrangement, AxisOrderAgnostic {
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
  /// The order of axes in memory, if it is not that of the paddings.
  private var order: AxisOrder?

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
      // Real zero is the zero point in integers.
      let zeroPoint = output.uniformZeroPoint
      try node.require(
        zeroPoints.contains(zeroPoint),
        "\(input.type.name) cannot hold the zero point \(zeroPoint)")
      background = .integer(zeroPoint)
    } else {
      background = .integer(0)
    }
  }

  /// Returns the zero points that a type can have if it stands for real numbers, which the official
  /// kernel takes for granted of `uint8` only.
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
    return [try paddings(context).grown(shape)]
  }

  package func operandsInOrder(_ node: NodeSpec) -> [Int]? { [0] }

  package func reordered(_ order: AxisOrder) -> any Operator {
    var reordered = self
    reordered.order = order
    return reordered
  }

  private func paddings(_ context: ShapeContext) throws(ModelError) -> Paddings {
    let paddings = try Paddings(context, input: 1, rank: context.shape(0).rank)
    return order.map(paddings.reordered) ?? paddings
  }

  /// Returns the paddings, if they are known before the run.
  func paddings(_ context: PlanContext) -> Paddings? {
    guard context.inputShapes[0] != nil, context.constants[1] != nil else { return nil }
    return try? paddings(ShapeContext(context))
  }

  package func elementCopies(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementCopy] {
    let copy = try paddings(operands).centre(operands.shape(0), in: results[0])
    return [ElementCopy(from: .input(0), copy)]
  }
}
