// Training may leave channels whose weights are zero or tiny compared with their bias. Their scales
// are so small, and their biases so large, that only the slowest requantization takes them. Their
// result is a constant, though, which an ordinary multiplier and bias give as well.

extension FixedPointMultiplier {
  /// Whether the kernels' fastest requantization takes sums with this bias.
  package func suitsFastRequantization(bias: Int32) -> Bool {
    (-21 ... -1).contains(exponent) && bias.magnitude <= 1 << 28
  }

  /// Returns an ordinary multiplier and bias with the same result for all sums within `reach` of
  /// the bias.
  ///
  /// - Returns: `nil` if these sums have more than one result.
  package func ordinary(
    bias: Int32, reach: Int64
  ) -> (multiplier: FixedPointMultiplier, bias: Int32)? {
    guard exponent <= 0, fraction >= 0,
      let low = Int32(exactly: Int64(bias) - reach), let high = Int32(exactly: Int64(bias) + reach)
    else { return nil }
    let result = scale(low)
    guard scale(high) == result else { return nil }
    if result == 0 { return (FixedPointMultiplier(fraction: 0, exponent: -1), 0) }
    // The new bias is the result times 2²¹; deviations below half of that do not change the result.
    guard result.magnitude <= 127, reach < 1 << 19 else { return nil }
    return (FixedPointMultiplier(fraction: 1 << 30, exponent: -20), result << 21)
  }
}
