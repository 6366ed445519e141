import OcellusKernelABI

/// HARD_SWISH: `x · relu6(x + 3) / 6`.
extension Unary {
  static let hardSwish = define(
    "HARD_SWISH", types: [.float32, .uint8, .int8]
  ) { node throws(ModelError) in
    let (input, output) = (try node.input(0), try node.output(0))
    if input.type == .float32 {
      return .elements { (x: Float) in x * min(6, max(0, x + 3)) / 6 }.tuned(.hardSwish(.fast))
    }
    let (source, target) = (try node.affineScale(of: input), try node.affineScale(of: output))
    let hardSwish = try QuantizedHardSwish(node, from: source, to: target)
    return .integers(of: input.type) { hardSwish($0) }
  }
}

/// HARD_SWISH in 16-bit fixed point, with the saturations of the official kernel.
private struct QuantizedHardSwish {
  let inputZeroPoint: Int
  let outputZeroPoint: Int
  let outputFraction: Int16
  let outputExponent: Int
  let gateFraction: Int16
  let gateExponent: Int

  init(
    _ node: NodeSpec, from input: AffineScale, to output: AffineScale
  ) throws(ModelError) {
    // Arguments are shifted left by 7, which fits in 16 bits.
    let fineScale = 1 / 128 * input.scale
    let result = try node.multiplier(Double(fineScale / output.scale))
    try node.require(result.exponent <= 0, "the output's scale is too fine for the input's")
    // The gate maps [-3, 3] to [-1, 1], with 3 at 2^15.
    let gate = try node.multiplier(Double(fineScale / (3 / 32768)))
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    (outputFraction, outputExponent) = (result.fraction16, result.exponent)
    (gateFraction, gateExponent) = (gate.fraction16, gate.exponent)
  }

  func callAsFunction(_ stored: Int) -> Int {
    let fine = Int16(truncatingIfNeeded: stored - inputZeroPoint) &<< 7
    let scaled = saturatingRoundingDoublingHigh(fine, outputFraction)
    let product = Int32(gate(fine)) * Int32(scaled)
    // Truncation here cancels the bias that the rounding above has.
    let truncated = Int16(truncatingIfNeeded: product / (1 << 15))
    let result = roundingShiftRight(Int32(truncated), by: -outputExponent)
    return Int(Int16(truncatingIfNeeded: Int(result) + outputZeroPoint))
  }

  /// Returns `relu6(x + 3) / 6` in units of 2⁻¹⁵.
  ///
  /// A left shift is applied before the multiplication, except for one bit after it. Numbers that
  /// saturate before the multiplication saturate again after it.
  private func gate(_ fine: Int16) -> Int16 {
    var value = fine
    if gateExponent > 0 { value = value.shiftedLeftSaturating(by: gateExponent - 1) }
    value = saturatingRoundingDoublingHigh(value, gateFraction)
    if gateExponent > 0 {
      value = value.shiftedLeftSaturating(by: 1)
    } else {
      value = Int16(truncatingIfNeeded: roundingShiftRight(Int32(value), by: -gateExponent))
    }
    return Int16((Int32(value) + 1 << 15) >> 1)
  }
}

extension Int16 {
  fileprivate func shiftedLeftSaturating(by amount: Int) -> Int16 {
    Int16(clamping: Int64(self) << Int64(amount))
  }
}

extension FixedPointMultiplier {
  /// The fraction rounded to 16 bits, in units of 2⁻¹⁵.
  fileprivate var fraction16: Int16 {
    let rounding: Int32 = 1 << 15
    return fraction >= .max - rounding ? .max : Int16((fraction + rounding) >> 16)
  }
}
