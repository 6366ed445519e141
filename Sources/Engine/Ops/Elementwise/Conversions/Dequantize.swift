import OcellusKernelABI

/// DEQUANTIZE: quantized integers, or half-precision floats, to floats.
package struct Dequantize: Operator {
  package static let definition = OperatorDefinition(
    "DEQUANTIZE", versions: 1...9,
    types: [.int2, .int4, .uint4, .uint8, .int8, .int16, .float16], resultType: .always(.float32),
    make: { node throws(ModelError) in try Self(node) })

  package let traits: OperatorTraits = .foldsWithStep
  package let dequantization: Dequantization

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(1)
    try node.require(try node.output(0), .float32)
    dequantization = try Dequantization(of: try node.input(0), node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try dequantization.scales?.check(against: shape, context)
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    try dequantization.apply(context.input(0), to: context.output(0).values(), context)
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let scales = dequantization.scales else { return .conversion(.widenHalves, context) }
    guard let type = context.node.inputs[0]?.type, let scale = scales.uniform,
      let element = QuantizedElement(type),
      let zeroPoint = type.quantizedZeroPoint(scale.zeroPoint)
    else { return nil }
    return .conversion(
      .dequantize(element, scale: scale.scale, zeroPoint: zeroPoint), context)
  }
}

/// The real numbers that a tensor's elements stand for.
package struct Dequantization: Sendable {
  /// `nil` for floats.
  package let scales: ChannelScales?

  init(of tensor: TensorSpec, node: NodeSpec) throws(ModelError) {
    guard tensor.type != .float16 else {
      scales = nil
      return
    }
    let scales = try ChannelScales(of: tensor, node: node)
    if tensor.type == .int16 {
      try node.requireSymmetric(tensor)
      guard !scales.isPerChannel else {
        throw node.unsupported("\(tensor.label) has several scales, which int16 cannot have here")
      }
    }
    self.scales = scales
  }

  func apply(
    _ tensor: TensorView, to reals: UnsafeMutableBufferPointer<Float>, _ context: RunContext
  ) throws(ModelError) {
    guard let scales else {
      let source = tensor.values(Float16.self)
      for chunk in context.chunks(of: source.count) {
        for index in chunk { reals[index] = Float(source[index]) }
      }
      return
    }
    switch tensor.type {
    case .uint8: Self.scale(tensor.values(UInt8.self), scales, tensor, to: reals)
    case .int8: Self.scale(tensor.values(Int8.self), scales, tensor, to: reals)
    case .int16: Self.scale(tensor.values(Int16.self), scales, tensor, to: reals)
    default:
      try context.withUnpackedElements(of: tensor) {
        Self.scale($0, scales, tensor, to: reals)
      }
    }
  }

  private static func scale<Elements: RandomAccessCollection>(
    _ elements: Elements, _ scales: ChannelScales, _ tensor: TensorView,
    to reals: UnsafeMutableBufferPointer<Float>
  ) where Elements.Index == Int, Elements.Element: FixedWidthInteger {
    scales.forEachRun(in: tensor.shape, tensor.control) { run, scale, zeroPoint in
      for index in run { reals[index] = scale * Float(Int(elements[index]) - zeroPoint) }
    }
  }
}
