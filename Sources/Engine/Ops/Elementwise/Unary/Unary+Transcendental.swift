import OcellusKernelABI
import OcellusPlatform

/// COS, EXP, LOG, RSQRT, SIN and SQRT.
extension Unary {
  static let cos = define(
    "COS", versions: 1...2, types: [.float32, .float16]
  ) { node throws(ModelError) in
    let type = try node.input(0).type
    return .floats(of: type) { cosf($0) }.tuned(.cosine(.fast), of: type)
  }

  static let sin = define(
    "SIN", versions: 1...2, types: [.float32, .float16]
  ) { node throws(ModelError) in
    let type = try node.input(0).type
    return .floats(of: type) { sinf($0) }.tuned(.sine(.fast), of: type)
  }

  static let exp = define(
    "EXP", versions: 1...2, types: [.float32, .int8, .int16], resultType: .ofInput(0)
  ) { node throws(ModelError) in
    let input = try node.input(0)
    if input.type == .float32 {
      return .elements { (x: Float) in expf(x) }.tuned(.exponential(.fast))
    }
    if input.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(try node.output(0))
    }
    return try node.quantizedLoop { expf($0) }
  }

  static let log = define(
    "LOG", versions: 1...2, types: [.float32, .int8, .int16]
  ) { node throws(ModelError) in
    let input = try node.input(0)
    if input.type == .float32 {
      return .elements { (x: Float) in logf(x) }.tuned(.logarithm(.fast))
    }
    let target = try checkedTarget(of: node)
    // Numbers without a logarithm become the lowest result.
    let lowestStored = input.type == .int8 ? Int(Int8.min) : Int(Int16.min)
    let lowest = Float(lowestStored - target.zeroPoint) * target.scale
    return try node.quantizedLoop { $0 <= 0 ? lowest : logf($0) }
  }

  static let sqrt = define(
    "SQRT", versions: 1...2, types: [.float32, .int8, .int16]
  ) { node throws(ModelError) in
    let input = try node.input(0)
    if input.type == .float32 {
      return .elements { (x: Float) in x.squareRoot() }.tuned(.squareRoot)
    }
    let target = try checkedTarget(of: node)
    let source = try node.affineScale(of: input)
    var loop = ElementLoop.integers(of: input.type) { stored in
      let real = (source.scale * Float(stored - source.zeroPoint)).squareRoot()
      return Int(Int32(saturating: real / target.scale)) + target.zeroPoint
    }
    loop.domain = .init(
      minimum: source.zeroPoint, complaint: "there is no square root of a negative number")
    return loop
  }

  static let rsqrt = define(
    "RSQRT", versions: 1...3, types: [.float32, .int8, .int16]
  ) { node throws(ModelError) in
    let input = try node.input(0)
    if input.type == .float32 {
      return .elements { (x: Float) in 1 / x.squareRoot() }.tuned(.reciprocalSquareRoot)
    }
    let target = try checkedTarget(of: node)
    let source = try node.affineScale(of: input)
    var loop =
      input.type == .int16
      ? try node.quantizedLoop { $0 <= 0 ? 32767 * target.scale : 1 / $0.squareRoot() }
      : try reciprocalSquareRootTable(node, from: source, to: target)
    loop.domain = .init(
      minimum: source.zeroPoint, complaint: "there is no square root of a negative number")
    return loop
  }

  private static func reciprocalSquareRootTable(
    _ node: NodeSpec, from source: AffineScale, to target: AffineScale
  ) throws(ModelError) -> ElementLoop {
    // The fractional bits of the root between the two multiplications.
    let headroom = 20
    let ratio = try node.multiplier(1 / Double(source.scale.squareRoot() * target.scale))
    let rescale = FixedPointMultiplier(
      fraction: ratio.fraction, exponent: ratio.exponent - headroom)
    return .integers(of: .int8) { stored in
      let value = Int32(clamping: stored - source.zeroPoint)
      if value <= 0 { return Int(Int8.max) }
      var root = FixedPointMultiplier(inverseSquareRootOf: value)
      root.exponent += headroom
      return Int(rescale.scale(root.scale(Int32(1)))) + target.zeroPoint
    }
  }

  /// Returns the output's scale; 16-bit tensors must have zero points of 0.
  private static func checkedTarget(of node: NodeSpec) throws(ModelError) -> AffineScale {
    let (input, output) = (try node.input(0), try node.output(0))
    if input.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(output)
    }
    return try node.affineScale(of: output)
  }
}
