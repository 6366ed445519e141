import OcellusKernelABI

/// PRELU: negative elements are multiplied by a learnt slope, often one per channel.
package struct Prelu: Operator {
  package static let definition = OperatorDefinition(
    "PRELU", types: [.float32, .uint8, .int8, .int16], resultType: .ofInput(0),
    make: { node throws(ModelError) in try Self(node) })

  /// `nil` for floats.
  private let quantized: Quantized?

  fileprivate struct Quantized {
    var inputZeroPoint: Int32
    var slopeZeroPoint: Int32
    var outputZeroPoint: Int
    /// Requantizes elements that are not negative.
    var identity: FixedPointMultiplier
    /// Requantizes products with a slope.
    var product: FixedPointMultiplier
  }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireAllOperands(2)
    let (input, slope, output) = (try node.input(0), try node.input(1), try node.output(0))
    try node.require(output, input.type)
    if input.type == .int16 {
      // The official kernel reads 16-bit slopes as if they were bytes, which changes the results of
      // models that have them.
      try node.require(slope, .int8, .int16)
    } else {
      try node.require(slope, input.type)
    }
    guard input.type != .float32 else {
      quantized = nil
      return
    }
    let source = try node.affineScale(of: input)
    let factor = try node.affineScale(of: slope)
    let target = try node.affineScale(of: output)
    quantized = Quantized(
      inputZeroPoint: Int32(truncatingIfNeeded: source.zeroPoint),
      slopeZeroPoint: Int32(truncatingIfNeeded: factor.zeroPoint),
      outputZeroPoint: target.zeroPoint,
      identity: try node.multiplier(Double(source.scale / target.scale)),
      product: try node.multiplier(Double(source.scale * factor.scale / target.scale)))
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let shape = context.shape(0)
    try context.require(
      try context.broadcastShape(of: 0..<2) == shape, "the slopes do not fit the input")
    return [shape]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    guard let quantized else {
      return Self.apply(context) { (x: Float, slope: Float) in x >= 0 ? x : x * slope }
    }
    switch context.input(0).type {
    case .uint8: Self.apply(context) { (x: UInt8, slope: UInt8) in quantized(x, slope) }
    case .int8: Self.apply(context) { (x: Int8, slope: Int8) in quantized(x, slope) }
    default: Self.apply(context) { (x: Int16, slope: Int8) in quantized(x, slope) }
    }
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let quantized else {
      return BinaryArithmetic.floats(.rectifyWithSlope, FloatRange()).step(context)
    }
    return quantized.arithmetic(of: context.node.outputs[0].type)?.step(context)
  }

  @inline(__always)
  private static func apply<Element: BitwiseCopyable, Slope: BitwiseCopyable>(
    _ context: RunContext, _ function: (Element, Slope) -> Element
  ) {
    let (input, slopes, output) = (context.input(0), context.input(1), context.output(0))
    let loops = BroadcastLoops(input.shape, slopes.shape, to: output.shape)
    let source = input.values(Element.self)
    let factors = slopes.values(Slope.self)
    let target = output.values(Element.self)
    let stride = loops.rowStrides[1]
    loops.forEachRow(unless: { context.control.isOver }) { start, offsets, count in
      for index in 0..<count {
        target[start + index] = function(
          source[start + index], factors[offsets[1] + index * stride])
      }
    }
  }
}

extension Prelu.Quantized {
  /// Returns the function on the tuned kernels.
  ///
  /// - Returns: `nil` for 16-bit elements, and for numbers that the kernels do not take.
  func arithmetic(of type: ElementType) -> BinaryArithmetic? {
    guard let element = QuantizedElement(type), element != .int16,
      type.quantizedRange.contains(inputZeroPoint), type.quantizedRange.contains(slopeZeroPoint),
      let zeroPoint = type.quantizedZeroPoint(outputZeroPoint),
      let kept = FixedPointResult(
        identity, zeroPoint: zeroPoint, range: type.quantizedRange, of: type),
      let sloped = FixedPointResult(
        product, zeroPoint: zeroPoint, range: type.quantizedRange, of: type)
    else { return nil }
    return .quantizedRectification(
      QuantizedRectification(
        element: element, zeroPoint: inputZeroPoint, slopeZeroPoint: slopeZeroPoint, kept: kept,
        sloped: sloped))
  }

  @inline(__always)
  fileprivate func callAsFunction<Element: FixedWidthInteger, Slope: FixedWidthInteger>(
    _ element: Element, _ slope: Slope
  ) -> Element {
    let value = Int32(truncatingIfNeeded: element) &- inputZeroPoint
    let scaled =
      value >= 0
      ? identity.scale(value)
      : product.scale(value &* (Int32(truncatingIfNeeded: slope) &- slopeZeroPoint))
    return Element(clamping: Int(scaled) + outputZeroPoint)
  }
}
