import OcellusKernelABI
import OcellusModelFile

/// RELU, its bounded variants, and LEAKY_RELU.
extension Unary {
  static let relu = rectifier(
    "RELU", versions: 1...3, types: [.float32, .uint8, .int8, .int16], 0, .infinity)
  static let relu6 = rectifier(
    "RELU6", versions: 1...3, types: [.float32, .uint8, .int8, .int16], 0, 6)
  static let reluN1To1 = rectifier("RELU_N1_TO_1", types: [.float32, .uint8, .int8], -1, 1)
  static let relu0To1 = rectifier("RELU_0_TO_1", types: [.float32, .uint8, .int8], 0, 1)

  private static func rectifier(
    _ name: String, versions: ClosedRange<Int> = 1...1, types: [ElementType],
    _ low: Float, _ high: Float
  ) -> OperatorDefinition {
    define(name, versions: versions, types: types) { node throws(ModelError) in
      // Comparisons in this order keep NaN.
      if try node.input(0).type == .float32 {
        return .elements { (x: Float) in x > high ? high : x < low ? low : x }
          .tuned(.clamp(FloatRange(lowerBound: low, upperBound: high)))
      }
      return try quantizedRectifier(node, low, high)
    }
  }

  private static func quantizedRectifier(
    _ node: NodeSpec, _ low: Float, _ high: Float
  ) throws(ModelError) -> ElementLoop {
    let (input, output) = (try node.input(0), try node.output(0))
    if input.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(output)
    }
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    let multiplier = try node.multiplier(Double(source.scale / target.scale))
    func quantize(_ real: Float) -> Int {
      let steps = (real / target.scale).rounded(.toNearestOrAwayFromZero)
      return target.zeroPoint + Int(Int32(saturating: steps))
    }
    let (lowest, highest) = (quantize(low), quantize(high))
    var loop = ElementLoop.integers(of: input.type) { stored in
      let centered = Int32(truncatingIfNeeded: stored - source.zeroPoint)
      let scaled = Int(multiplier.scale(centered)) + target.zeroPoint
      return min(max(scaled, lowest), highest)
    }
    if input.type == .int16, lowest <= highest,
      let result = FixedPointResult(
        ofInt16: multiplier,
        range: Int32(Int16(clamping: lowest))...Int32(Int16(clamping: highest)))
    {
      loop.conversion = .requantize(.int16, zeroPoint: 0, to: .int16, result)
    }
    return loop
  }

  static let leakyRelu = define(
    "LEAKY_RELU", versions: 1...2, types: [.float32, .uint8, .int8, .int16]
  ) { node throws(ModelError) in
    let alpha = try node.options(BuiltinOptionsTag.leakyRelu).float(0)
    let (input, output) = (try node.input(0), try node.output(0))
    if input.type == .float32 {
      return .elements { (x: Float) in x > 0 ? x : x * alpha }.tuned(.rectify(slope: alpha))
    }
    if input.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(output)
    }
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    let identity = try node.multiplier(Double(source.scale / target.scale))
    var slope = try node.multiplier(Double(source.scale * alpha / target.scale))
    let isFalling = slope.fraction < 0
    // Rounding is symmetric around 0 only in this form: the product is negated, not the factor.
    if isFalling { slope.fraction = 0 &- slope.fraction }
    var loop = ElementLoop.integers(of: input.type) { [slope] stored in
      let centered = Int32(truncatingIfNeeded: stored - source.zeroPoint)
      if centered >= 0 { return target.zeroPoint + Int(identity.scale(centered)) }
      let scaled = Int(slope.scale(centered))
      return target.zeroPoint + (isFalling ? -scaled : scaled)
    }
    if input.type == .int16, let kept = FixedPointResult(ofInt16: identity),
      let sloped = FixedPointResult(ofInt16: slope)
    {
      loop.conversion = .rectify(kept: kept, sloped: sloped, negatesSloped: isFalling)
    }
    return loop
  }
}
