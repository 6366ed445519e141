import OcellusModelFile
import OcellusPlatform

/// ADD and SUB: the sum or difference of two tensors, with an activation.
package enum Addition {
  package static let add = Binary.definition(
    "ADD", versions: 1...6, types: [.float32, .float16, .int32, .int64, .uint8, .int8, .int16]
  ) { node throws(ModelError) in try kernel(for: node, BuiltinOptionsTag.add, sign: 1) }

  package static let sub = Binary.definition(
    "SUB", versions: 1...5, types: [.float32, .int32, .int64, .uint8, .int8, .int16]
  ) { node throws(ModelError) in try kernel(for: node, BuiltinOptionsTag.sub, sign: -1) }

  private static func kernel(
    for node: NodeSpec, _ optionsTag: Int, sign: Int32
  ) throws(ModelError) -> BinaryLoop {
    let options = node.options(optionsTag)
    let activation = try FusedActivation(options, field: 0)
    let input = try node.input(0)
    switch input.type {
    case .float32: return plain(Float.self, sign, activation)
    case .float16: return plain(Float16.self, sign, activation)
    case .int32: return plain(Int32.self, sign, activation)
    case .int64: return plain(Int64.self, sign, activation)
    case .uint8: return BinaryLoop(try AffineSum<UInt8>(node, sign, activation))
    case .int8: return BinaryLoop(try AffineSum<Int8>(node, sign, activation))
    default:
      // Only ADD supports 16-bit integers without quantization.
      if input.quantization == nil, try node.output(0).quantization == nil, sign > 0 {
        return plain(Int16.self, sign, activation)
      }
      if try options.bool(1, default: true),
        let sum = try PowerOfTwoScaledSum(node, sign, activation)
      {
        return BinaryLoop(sum)
      }
      return BinaryLoop(try AffineSum<Int16>(node, sign, activation))
    }
  }

  private static func plain<Value: PlainArithmetic>(
    _: Value.Type, _ sign: Int32, _ activation: FusedActivation
  ) -> BinaryLoop {
    let range = Value.range(of: activation)
    return sign > 0
      ? BinaryLoop(Clamped(base: Sum<Value>(), range: range))
      : BinaryLoop(Clamped(base: Difference<Value>(), range: range))
  }
}

/// `a ± b` on quantized numbers with arbitrary scales.
private struct AffineSum<Stored: FixedWidthInteger & TensorElement>: BinaryFunction {
  let terms: QuantizedTerms
  let sign: Int32
  let multiplier: FixedPointMultiplier
  let zeroPoint: Int32
  let range: ClosedRange<Int32>

  init(_ node: NodeSpec, _ sign: Int32, _ activation: FusedActivation) throws(ModelError) {
    // The most spare bits with which the sum of two terms still fits in 32 bits.
    let spareBits = Stored.bitWidth == 16 ? 15 : 20
    let output = try node.output(0)
    try node.require(output, Stored.elementType)
    terms = try QuantizedTerms(of: node, spareBits: spareBits)
    self.sign = sign
    let quantization = try node.perTensorQuantization(of: output)
    multiplier = try node.positiveMultiplier(
      terms.scale / Double(Float(1 << spareBits) * quantization.scale))
    zeroPoint = Int32(truncatingIfNeeded: quantization.zeroPoint)
    range = try activation.quantizedRange(of: output, node: node)
    if Stored.bitWidth == 16 { try node.requireZeroPointsOfZero() }
  }

  func callAsFunction(_ a: Stored, _ b: Stored) -> Stored {
    let sum = terms.first(a) &+ sign &* terms.second(b)
    return Stored(
      truncatingIfNeeded: (multiplier.scaleDown(sum) &+ zeroPoint).clamped(to: range))
  }

  var tuned: BinaryArithmetic? {
    .quantizedSum(
      terms, sign: sign, of: Stored.elementType, multiplier: multiplier, zeroPoint: zeroPoint,
      range: range)
  }
}

/// `a ± b` on 16-bit numbers whose scales are powers of two, at most the result's scale.
private struct PowerOfTwoScaledSum: BinaryFunction {
  let firstShift: Int
  let secondShift: Int
  let sign: Int32
  let range: ClosedRange<Int32>

  /// - Returns: `nil` if a scale is not a power of two.
  init?(_ node: NodeSpec, _ sign: Int32, _ activation: FusedActivation) throws(ModelError) {
    let output = try node.output(0)
    try node.require(output, .int16)
    try node.requireZeroPointsOfZero()
    guard let first = Self.exponent(of: try node.perTensorQuantization(of: node.input(0)).scale),
      let second = Self.exponent(of: try node.perTensorQuantization(of: node.input(1)).scale),
      let result = Self.exponent(of: try node.perTensorQuantization(of: output).scale)
    else { return nil }
    (firstShift, secondShift) = (result - first, result - second)
    try node.require(
      firstShift >= 0 && secondShift >= 0 && (firstShift == 0 || secondShift == 0),
      "one input must have the scale of the output, and the other no greater one")
    self.sign = sign
    range = try activation.quantizedRange(of: output, node: node)
  }

  /// Returns the exponent of a power of two; accepts numbers as close to one as `CheckedLog2` does.
  private static func exponent(of scale: Float) -> Int? {
    let logarithm = logf(scale) * (1 / logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    return abs(logarithm - rounded) < 1e-3 ? Int(rounded) : nil
  }

  func callAsFunction(_ a: Int16, _ b: Int16) -> Int16 {
    let first = roundingShiftRight(Int32(a), by: min(firstShift, 31))
    let second = roundingShiftRight(Int32(b), by: min(secondShift, 31))
    return Int16(truncatingIfNeeded: (first + sign * second).clamped(to: range))
  }
}
