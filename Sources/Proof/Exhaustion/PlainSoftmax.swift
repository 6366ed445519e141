/// The softmax of bytes in fixed point, written down once more: plain arithmetic after the official
/// runtime's documentation, with nothing of the kernels.
///
/// The greatest element of a row is subtracted from all. Exponentials of the 256 differences are
/// rounded to units of 2⁻¹⁹ and added; a result is an exponential times the reciprocal of the sum.
package struct PlainSoftmax {
  /// The exponentials in units of 2⁻³¹, by difference from the greatest element.
  let exponentials: [Int64]
  /// The same as summands.
  package let summands: [Int64]

  private static let one = Int64(1) << 31 - 1

  /// - Returns: `nil` for scales that no model should have.
  package init?(scale: Float, beta: Float) {
    let real = min(Double(beta) * Double(scale) * 0x1p26, 0x1p31 - 1)
    guard real > 1 else { return nil }
    var exponent = 0
    var significand = real
    while significand >= 1 { (significand, exponent) = (significand / 2, exponent + 1) }
    var multiplier = Int64((significand * 0x1p31).rounded(.toNearestOrAwayFromZero))
    if multiplier == 1 << 31 { (multiplier, exponent) = (multiplier / 2, exponent + 1) }
    // Differences that do not fit five integer bits have an exponential of zero.
    let farthest = Int((31 * 0x1p26 / Double(1 << exponent)).rounded(.down))
    exponentials = (0...255).map { difference in
      guard difference <= farthest else { return 0 }
      return Self.exponential(
        Self.product(Int64(-difference) << Int64(exponent), multiplier))
    }
    summands = exponentials.map { Self.divided($0, byPowerOfTwo: 12) }
  }

  /// The result of each difference, in rows with a sum, over the least result.
  func results(ofSum sum: Int64) -> [UInt8] {
    // The sum has 12 integer bits of 31; as 1 + x it has none.
    let headroom = Int64(Int32(truncatingIfNeeded: sum).leadingZeroBitCount)
    let reciprocal = Self.reciprocal(ofOnePlus: sum << headroom - 1 << 31)
    let shift = 12 - headroom + 31 - 8
    // No factor is negative, so that halves are rounded up.
    return exponentials.map { exponential in
      let ratio = (reciprocal * exponential + 1 << 30) >> 31
      return UInt8(truncatingIfNeeded: min((ratio + 1 << (shift - 1)) >> shift, 255))
    }
  }

  // MARK: Fixed point

  /// Returns a product of fractions of 31 bits, rounded to nearest.
  private static func product(_ a: Int64, _ b: Int64) -> Int64 {
    let product = a * b
    return (product + (product >= 0 ? 1 << 30 : 1 - 1 << 30)) / (1 << 31)
  }

  /// Returns a number divided by a power of two, rounded to nearest, halves away from zero.
  private static func divided(_ number: Int64, byPowerOfTwo exponent: Int64) -> Int64 {
    guard exponent > 0 else { return number }
    let magnitude = (abs(number) + 1 << (exponent - 1)) >> exponent
    return number < 0 ? -magnitude : magnitude
  }

  private static func saturated(_ number: Int64) -> Int64 { min(max(number, -one - 1), one) }

  /// Returns exp(x) in units of 2⁻³¹, for x ≤ 0 in units of 2⁻²⁶.
  private static func exponential(_ x: Int64) -> Int64 {
    if x == 0 { return one }
    let quarter = Int64(1) << 24
    // What is above a multiple of a quarter, less a quarter: from -1/4 to 0.
    let fraction = x & (quarter - 1) - quarter
    var result = smallExponential(fraction << 5)
    // The rest is a sum of powers of two, from a quarter to sixteen.
    let rest = fraction - x
    let factors: [Int64] = [
      1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
    ]
    for (bit, factor) in factors.enumerated() where rest >> Int64(24 + bit) & 1 == 1 {
      result = product(result, factor)
    }
    return result
  }

  /// Returns exp(x) for x from -1/4 to 0, by Taylor's series around -1/8; both in units of 2⁻³¹.
  private static func smallExponential(_ x: Int64) -> Int64 {
    let (constant, third) = (Int64(1_895_147_668), Int64(715_827_883))
    let x = x + 1 << 28
    let square = product(x, x)
    let cube = product(square, x)
    let quarterOfFourth = divided(product(square, square), byPowerOfTwo: 2)
    let higher = divided(product(quarterOfFourth + cube, third) + square, byPowerOfTwo: 1)
    return saturated(constant + product(constant, x + higher))
  }

  /// Returns 1/(1 + x) for x from 0 to 1 by Newton's iteration; both in units of 2⁻³¹.
  private static func reciprocal(ofOnePlus x: Int64) -> Int64 {
    let half = (x + one + 1) / 2
    // In units of 2⁻²⁹: 48/17 and -32/17.
    var estimate = 1_515_870_810 + product(half, -1_010_580_540)
    for _ in 0..<3 {
      let error = 1 << 29 - product(half, estimate)
      estimate += saturated(product(estimate, error) << 2)
    }
    return saturated(estimate << 1)
  }
}
