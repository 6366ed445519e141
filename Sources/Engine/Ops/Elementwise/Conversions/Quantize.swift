import OcellusKernelABI

/// QUANTIZE: converts floats or quantized integers to quantized integers.
package struct Quantize: Operator {
  package static let definition = OperatorDefinition(
    "QUANTIZE", versions: 1...6, types: [.float32, .uint8, .int8, .int16, .int32],
    make: { node throws(ModelError) in try Self(node) })

  package let kernel: Kernel

  package enum Kernel: Sendable {
    case floats(ChannelScales)
    /// 8-bit integers to 8-bit integers.
    case table(ByteTable)
    case integers(IntegerRequantization)
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    let (input, output) = (try node.input(0), try node.output(0))
    switch input.type {
    case .float32:
      try node.require(output, .uint8, .int8, .int16, .int4, .uint4)
      let scales = try ChannelScales(of: output, node: node)
      if scales.isPerChannel { try node.require(output, .uint8, .int8, .int16) }
      kernel = .floats(scales)
      return
    case .int16: try node.require(output, .int8, .int16, .int32)
    case .int32: try node.require(output, .int8, .int16)
    default: try node.require(output, .uint8, .int8, .int16)
    }
    if input.type == .int16, output.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(output)
    }
    let change = try IntegerRequantization(node, from: input, to: output)
    kernel =
      input.type.bitWidth == 8 && output.type.bitWidth == 8
      ? .table(ByteTable(of: input.type, to: output.type) { change($0) })
      : .integers(change)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    if case .floats(let scales) = kernel { try scales.check(against: shape, context) }
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, output) = (context.input(0), context.output(0))
    switch kernel {
    case .floats(let scales): try Self.quantize(input, scales, to: output, context)
    case .table(let table): table.apply(input, output)
    case .integers(let change): change.apply(input, output)
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    switch kernel {
    case .floats(let scales):
      let type = context.node.outputs[0].type
      guard let scale = scales.uniform, let element = QuantizedElement(type),
        let zeroPoint = type.quantizedZeroPoint(scale.zeroPoint)
      else { return nil }
      let range = QuantizedRange(
        zeroPoint: zeroPoint, minimum: type.quantizedRange.lowerBound,
        maximum: type.quantizedRange.upperBound)
      return .conversion(.quantize(element, scale: scale.scale, range: range), context)
    case .table(let table): return .lookUp(table, context)
    case .integers(let change):
      guard let conversion = change.conversion(context.node) else { return nil }
      return .conversion(conversion, context)
    }
  }

  private static func quantize(
    _ input: TensorView, _ scales: ChannelScales, to output: TensorView, _ context: RunContext
  ) throws(ModelError) {
    switch output.type {
    case .uint8: quantize(input, scales, to: output.values(UInt8.self), 0...255)
    case .int8: quantize(input, scales, to: output.values(Int8.self), -128...127)
    case .int16: quantize(input, scales, to: output.values(Int16.self), -32768...32767)
    default:
      try context.withScratch(Int8.self, count: output.elementCount) { unpacked in
        quantize(input, scales, to: unpacked, output.type == .int4 ? -8...7 : 0...15)
        PackedIntegers.pack(
          UnsafeBufferPointer(unpacked), as: output.type, to: output.bytes, context.control)
      }
    }
  }

  /// Quantizes floats; ties are rounded away from zero.
  private static func quantize<Result: FixedWidthInteger>(
    _ input: TensorView, _ scales: ChannelScales, to results: UnsafeMutableBufferPointer<Result>,
    _ range: ClosedRange<Int>
  ) {
    let reals = input.values(Float.self)
    scales.forEachRun(in: input.shape, input.control) { elements, scale, zeroPoint in
      // Steps that are clamped first fit in an integer. No sensible zero point reaches the outer
      // limits.
      let lowest = Float(max(range.lowerBound - zeroPoint, -1 << 30))
      let highest = Float(min(range.upperBound - zeroPoint, 1 << 30))
      for index in elements {
        let steps = min(highest, max(lowest, reals[index] / scale))
        let stored = (Int(steps.integerRoundedAwayFromZero) + zeroPoint).clamped(to: range)
        results[index] = Result(truncatingIfNeeded: stored)
      }
    }
  }
}

extension Float {
  /// The nearest integer, ties away from zero, of a number that fits in 32 bits.
  ///
  /// Adding one half would round numbers just below one half up; `rounded()` calls libm on
  /// processors without such an instruction.
  fileprivate var integerRoundedAwayFromZero: Int32 {
    let integer = Int32(self)
    let fraction = self - Float(integer)
    return integer + (fraction >= 0.5 ? 1 : fraction <= -0.5 ? -1 : 0)
  }
}
