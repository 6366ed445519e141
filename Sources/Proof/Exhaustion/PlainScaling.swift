/// The requantization of a channel's sums, written down once more: plain arithmetic from the
/// schema's numbers, after the official runtime's documentation, with nothing of the kernels.
struct PlainScaling {
  private enum Rounding {
    /// A fraction in units of 2⁻³¹ and a power of two, rounded after each of the two.
    case twice(fraction: Int64, exponent: Int)
    /// A double, rounded once.
    case once(Double)
  }

  private let rounding: Rounding
  private let zeroPoint: Int64
  /// The least and the greatest result.
  private let range: ClosedRange<Int64>

  /// Makes the scaling of a channel.
  ///
  /// - Returns: `nil` for scales that no model should have.
  init?(of channel: Int, in node: WeightedNode) {
    let scale =
      node.weights.scales.count == 1 ? node.weights.scales[0] : node.weights.scales[channel]
    let (input, output) = (node.input.scales[0], Double(node.output.scales[0]))
    // Convolutions of unsigned bytes multiply the scales in single precision.
    let product =
      !node.input.isSigned && node.kind != .fullyConnected
      ? Double(input * scale) : Double(input) * Double(scale)
    let factor = product / output
    guard factor.isFinite, factor >= 0, let range = Self.range(of: node) else { return nil }
    if node.kind == .fullyConnected {
      rounding = .once(factor)
    } else {
      guard let (fraction, exponent) = Self.fixedPoint(factor) else { return nil }
      rounding = .twice(fraction: fraction, exponent: exponent)
    }
    zeroPoint = Int64(node.output.zeroPoint)
    self.range = range
  }

  /// Returns a factor as a fraction of 31 bits and a power of two.
  private static func fixedPoint(_ factor: Double) -> (fraction: Int64, exponent: Int)? {
    guard factor > 0 else { return (0, 0) }
    var exponent = 0
    var significand = factor
    while significand >= 1 { (significand, exponent) = (significand / 2, exponent + 1) }
    while significand < 0.5 { (significand, exponent) = (significand * 2, exponent - 1) }
    var fraction = Int64((significand * 0x1p31).rounded(.toNearestOrAwayFromZero))
    if fraction == 1 << 31 { (fraction, exponent) = (fraction / 2, exponent + 1) }
    if exponent < -31 { return (0, 0) }
    return exponent > 30 ? nil : (fraction, exponent)
  }

  /// Returns the range to which the activation and the type clamp results.
  private static func range(of node: WeightedNode) -> ClosedRange<Int64>? {
    let type = node.output.bytes
    let (scale, zeroPoint) = (node.output.scales[0], Int64(node.output.zeroPoint))
    func quantized(_ real: Float) -> Int64? {
      let steps = (real / scale).rounded(.toNearestOrAwayFromZero)
      return steps.isFinite && abs(steps) < 0x1p31 ? Int64(steps) + zeroPoint : nil
    }
    var (low, high) = (Int64(type.lowerBound), Int64(type.upperBound))
    let limits: [(Float?, Float?)] = [(nil, nil), (0, nil), (-1, 1), (0, 6)]
    let (least, greatest) = limits[node.activation]
    if let least {
      guard let bound = quantized(least) else { return nil }
      low = max(low, bound)
    }
    if let greatest {
      guard let bound = quantized(greatest) else { return nil }
      high = min(high, bound)
    }
    return low <= high ? low...high : nil
  }

  /// Whether these sums are scaled without any overflow, so that greater sums never have smaller
  /// results.
  func isMonotone(on sums: ClosedRange<Int64>) -> Bool {
    let shift: Int
    switch rounding {
    case .twice(_, let exponent): shift = max(exponent, 0)
    case .once(let factor):
      let most = max(abs(Double(sums.lowerBound)), abs(Double(sums.upperBound))) * factor
      return most < 0x1p30
    }
    let most = Int64(Int32.max) >> Int64(shift)
    return sums.lowerBound >= -most && sums.upperBound <= most
  }

  /// Returns the result of a sum.
  func callAsFunction(_ sum: Int64) -> Int64 {
    let scaled: Int64
    switch rounding {
    case .once(let factor):
      scaled = Int64((Double(sum) * factor).rounded(.toNearestOrAwayFromZero))
    case .twice(let fraction, let exponent):
      let shifted = exponent > 0 ? sum << Int64(exponent) : sum
      let product = shifted * fraction
      // The upper half of twice the product, rounded to nearest by a division that truncates.
      let high = (product + (product >= 0 ? 1 << 30 : 1 - 1 << 30)) / (1 << 31)
      scaled = Self.divided(high, byPowerOfTwo: exponent < 0 ? -exponent : 0)
    }
    return min(max(scaled + zeroPoint, range.lowerBound), range.upperBound)
  }

  /// Returns a number divided by a power of two, rounded to nearest, halves away from zero.
  private static func divided(_ number: Int64, byPowerOfTwo exponent: Int) -> Int64 {
    guard exponent > 0 else { return number }
    let half = Int64(1) << Int64(exponent - 1)
    let magnitude = (abs(number) + half) >> Int64(exponent)
    return number < 0 ? -magnitude : magnitude
  }
}
