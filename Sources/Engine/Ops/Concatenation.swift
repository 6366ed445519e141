import OcellusModelFile

/// CONCATENATION: tensors one after the other along an axis.
///
/// Only `uint8` operands may be quantized differently from the result; they are then rescaled.
package struct Concatenation: Rearrangement {
  package static let definition = OperatorDefinition(
    "CONCATENATION", versions: 1...7,
    types: [
      .float32, .float16, .bfloat16, .uint8, .int8, .int16, .int32, .int64, .bool, .uint32, .int4,
    ],
    make: { node throws(ModelError) in try Self(node) })

  private let axis: Int
  /// What each of 256 integers becomes; `nil` for operands that need no rescaling.
  private let rescaling: [[UInt8]?]

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(1...Int.max)
    let options = node.options(BuiltinOptionsTag.concatenation)
    axis = try options.integer(0)
    if try FusedActivation(options, field: 1) != .none {
      throw node.unsupported("a fused activation is not supported here")
    }
    let output = try node.output(0)
    var rescaling: [[UInt8]?] = []
    for position in node.inputs.indices {
      let input = try node.input(position)
      try node.requireSameType(input, output)
      if input.type == .int8 { try node.requireSameQuantization(input, output) }
      try node.require(
        input.type != .int16 || (input.uniformZeroPoint == 0 && output.uniformZeroPoint == 0),
        "int16 needs the zero point 0")
      rescaling.append(input.type == .uint8 ? Self.rescaling(from: input, to: output) : nil)
    }
    self.rescaling = rescaling
  }

  /// The official kernel computes in floats, rounds half away from zero, and takes integers
  /// that a conversion cannot represent for the smallest.
  private static func rescaling(from input: TensorSpec, to output: TensorSpec) -> [UInt8]? {
    let (inputZeroPoint, outputZeroPoint) = (input.uniformZeroPoint, output.uniformZeroPoint)
    guard input.uniformScale != output.uniformScale || inputZeroPoint != outputZeroPoint else {
      return nil
    }
    let scale = input.uniformScale * (1 / output.uniformScale)
    let bias = Float(-inputZeroPoint) * scale
    return (0..<256).map { value in
      let rounded = (Float(value) * scale + bias).rounded(.toNearestOrAwayFromZero)
      let steps = Int32(exactly: rounded) ?? .min
      return UInt8(clamping: Int(steps) + outputZeroPoint)
    }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    var result = Self.vectorized(context.shape(0))
    let axis = try context.axis(axis, rank: result.rank)
    for position in 1..<max(context.inputCount, 1) {
      let shape = Self.vectorized(context.shape(position))
      try context.require(shape.rank == result.rank, "the ranks differ")
      for other in 0..<shape.rank where other != axis {
        try context.require(shape[other] == result[other], "the shapes differ beside axis \(axis)")
      }
      result[axis] += shape[axis]
    }
    return [result]
  }

  /// Scalars are joined as vectors of one element.
  private static func vectorized(_ shape: Shape) -> Shape { shape.rank == 0 ? [1] : shape }

  package func moves(
    _ operands: ShapeContext, results: [Shape]
  ) throws(ModelError) -> [ElementMove] {
    let axis = try operands.axis(axis, rank: results[0].rank)
    let strides = results[0].strides
    var offset = 0
    return (0..<operands.inputCount).map { position in
      let shape = Self.vectorized(operands.shape(position))
      defer { offset += shape[axis] * strides[axis] }
      let copy = StridedCopy(
        extents: shape.dimensions, source: .init(shape),
        destination: .init(offset: offset, strides: strides))
      return ElementMove(from: .input(position), copy)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    rescaling.allSatisfy { $0 == nil } ? try rearrangingStep(context) : nil
  }

  package func run(_ context: RunContext) throws(ModelError) {
    try rearrange(context)
    let output = context.output(0)
    guard rescaling.contains(where: { $0 != nil }), output.elementCount > 0 else { return }
    let axis = try context.operands(valued: []).axis(axis, rank: output.shape.rank)
    let inner = output.shape.product(of: (axis + 1)..<output.shape.rank)
    let row = output.shape[axis] * inner
    let values = output.values(UInt8.self)
    var begin = 0
    for (position, table) in rescaling.enumerated() {
      let count = Self.vectorized(context.input(position).shape)[axis] * inner
      defer { begin += count }
      guard let table else { continue }
      for start in stride(from: begin, to: values.count, by: row) {
        for index in start..<(start + count) { values[index] = table[Int(values[index])] }
      }
    }
  }
}
