import OcellusKernelABI

/// ABS, NEG, SIGN and SQUARE, and the roundings CEIL, FLOOR and ROUND.
extension Unary {
  static let abs = define(
    "ABS", versions: 1...5, types: [.float32, .int8, .int16, .int32]
  ) { node throws(ModelError) in
    let input = try node.input(0)
    switch input.type {
    case .float32: return .elements { (x: Float) in x.magnitude }.tuned(.magnitude)
    case .int32: return .elements { (x: Int32) in Int32(truncatingIfNeeded: x.magnitude) }
    case .int16 where input.quantization == nil:
      return .elements { (x: Int16) in Int16(truncatingIfNeeded: x.magnitude) }
    default: return try quantizedAbs(node, input)
    }
  }

  private static func quantizedAbs(
    _ node: NodeSpec, _ input: TensorSpec
  ) throws(ModelError) -> ElementLoop {
    let output = try node.output(0)
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    if input.type == .int16 {
      try node.requireSymmetric(input)
      try node.requireSymmetric(output)
    }
    // A multiplier of one changes nothing.
    let multiplier = try node.multiplier(Double(source.scale / target.scale))
    let loop = ElementLoop.integers(of: input.type) { stored in
      let magnitude = (stored - source.zeroPoint).magnitudeInt
      return Int(multiplier.scale(Int32(truncatingIfNeeded: magnitude))) + target.zeroPoint
    }
    guard input.type == .int16, let result = FixedPointResult(ofInt16: multiplier) else {
      return loop
    }
    return loop.converted(.scaleMagnitudes(result))
  }

  // Stored integers are negated; their quantization is ignored.
  static let neg = define(
    "NEG", types: [.float32, .float16, .bfloat16, .int8, .int16, .int32, .int64],
    resultType: .ofInput(0)
  ) { node throws(ModelError) in
    switch try node.input(0).type {
    case .int8: .elements { (x: Int8) in 0 &- x }.converted(.negateBytes)
    case .int16: .elements { (x: Int16) in 0 &- x }
    case .int32: .elements { (x: Int32) in 0 &- x }
    case .int64: .elements { (x: Int64) in 0 &- x }
    case .float32: .elements { (x: Float) in -x }.tuned(.negate)
    default: .elements { (bits: UInt16) in bits ^ 0x8000 }
    }
  }

  static let sign = define(
    "SIGN", versions: 1...2, types: [.float32, .float64, .int32]
  ) { node throws(ModelError) in
    switch try node.input(0).type {
    case .float64: .elements { (x: Double) in x > 0 ? 1 : x < 0 ? -1 : x.isNaN ? x : 0 }
    case .int32: .elements { (x: Int32) in x.signum() }
    default:
      .elements { (x: Float) in x > 0 ? 1 : x < 0 ? -1 : x.isNaN ? x : 0 }.tuned(.sign)
    }
  }

  static let square = define("SQUARE", types: [.float32]) { _ in
    .elements { (x: Float) in x * x }.tuned(.square)
  }

  static let ceil = define("CEIL", types: [.float32], resultType: .ofInput(0)) { _ in
    .elements { (x: Float) in x.rounded(.up) }.tuned(.ceiling)
  }

  static let floor = define(
    "FLOOR", types: [.float32, .float16, .bfloat16], resultType: .ofInput(0)
  ) { node throws(ModelError) in
    let type = try node.input(0).type
    return .floats(of: type) { $0.rounded(.down) }.tuned(.floor, of: type)
  }

  static let round = define(
    "ROUND", types: [.float32, .float16, .bfloat16], resultType: .ofInput(0)
  ) { node throws(ModelError) in
    let type = try node.input(0).type
    return .floats(of: type) { $0.rounded(.toNearestOrEven) }.tuned(.nearest, of: type)
  }
}

extension Int {
  /// The magnitude of a number that is not the lowest one.
  fileprivate var magnitudeInt: Int { self < 0 ? -self : self }
}
