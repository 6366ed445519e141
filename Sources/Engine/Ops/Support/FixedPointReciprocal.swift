/// One over a positive integer, as the official kernels compute it without dividing.
package struct FixedPointReciprocal: Sendable {
  /// The reciprocal of the integer brought into [1, 2), in units of 2⁻³¹.
  package let fraction: Int32
  /// What the integer was divided by for that, as a power of two.
  package let exponent: Int

  /// - Parameter value: above zero.
  package init(of value: Int32) {
    let headroom = value.leadingZeroBitCount
    exponent = 31 - headroom
    // The bits behind the leading one are the distance from 1.
    let distance = Int32(
      bitPattern: (UInt32(bitPattern: value) &<< UInt32(headroom)) &- (1 << 31))
    fraction = reciprocalOfOnePlus(distance)
  }
}

/// `1 / (1 + x)` for `x` from 0 to 1, both in units of 2⁻³¹.
///
/// Three steps of Newton and Raphson, as gemmlowp's `one_over_one_plus_x_for_x_in_0_1`: every bit
/// of quantized divisions and softmaxes depends on its roundings.
package func reciprocalOfOnePlus(_ x: Int32) -> Int32 {
  // (1 + x) / 2, rounded; with x at its end the sum is just below two.
  let halfDenominator = Int32((Int64(x) + Int64(Int32.max) + 1) / 2)
  // The estimates are in units of 2⁻²⁹; the constants are 48/17 and -32/17.
  var estimate = 1_515_870_810 &+ saturatingRoundingDoublingHigh(halfDenominator, -1_010_580_540)
  for _ in 0..<3 {
    let error = (1 << 29) &- saturatingRoundingDoublingHigh(halfDenominator, estimate)
    estimate &+= saturatingShiftLeft(saturatingRoundingDoublingHigh(estimate, error), by: 2)
  }
  return saturatingShiftLeft(estimate, by: 1)
}

/// `value × 2^exponent`, at most the greatest and at least the least 32-bit integer.
package func saturatingShiftLeft(_ value: Int32, by exponent: Int) -> Int32 {
  let threshold: Int32 = (1 << Int32(31 - exponent)) - 1
  if value > threshold { return .max }
  if value < -threshold { return .min }
  return value << Int32(exponent)
}
