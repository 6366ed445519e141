// Training leaves channels behind whose weights are zeros, or next to nothing beside their bias.
// Their scales are so small, and their biases so large, that only the slowest way of scaling takes
// them. But what comes out is a constant, which ordinary numbers give as well.

extension FixedPointMultiplier {
  /// Whether the kernels' fastest scaling takes sums with this bias.
  package func isOrdinary(bias: Int32) -> Bool {
    (-21 ... -1).contains(exponent) && bias.magnitude <= 1 << 28
  }

  /// An ordinary multiplier and a bias with the same result for all sums that are up to `reach`
  /// away from their bias, or `nil` where there is more than one result.
  package func ordinary(
    bias: Int32, reach: Int64
  ) -> (multiplier: FixedPointMultiplier, bias: Int32)? {
    guard exponent <= 0, fraction >= 0,
      let low = Int32(exactly: Int64(bias) - reach), let high = Int32(exactly: Int64(bias) + reach)
    else { return nil }
    let result = scale(low)
    guard scale(high) == result else { return nil }
    if result == 0 { return (FixedPointMultiplier(fraction: 0, exponent: -1), 0) }
    // Results are multiples of 2²¹, which nothing less than half of that changes.
    guard result.magnitude <= 127, reach < 1 << 19 else { return nil }
    return (FixedPointMultiplier(fraction: 1 << 30, exponent: -20), result << 21)
  }
}
