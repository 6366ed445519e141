extension FixedPoint<Int32> {
  /// Returns `ln(self)` for a number of at least 1, as the official runtime's quantized LOG_SOFTMAX
  /// computes it (`log_x_for_x_greater_than_or_equal_to_1`).
  ///
  /// The number is written as 2^n · r with two choices of n, half a binary order apart, and the
  /// logarithm of the better r comes from a rational approximation around 2^(-1/4).
  package func naturalLogarithm(integerBits resultBits: Int) -> Self {
    // One more bit than the result needs, because the sum below may exceed the result.
    let sumBits = resultBits + 1
    let quarter = Self(constant: 1 << 29).rescaled(integerBits: sumBits)
    let sqrtHalf = Self(constant: 1_518_500_250)
    let significand = Self(raw: raw, integerBits: 0)

    let headroomA = raw.leadingZeroBitCount - 1
    let shiftedA = Self(raw: raw.scaled(byPowerOfTwo: headroomA), integerBits: 0)
    let rA = (shiftedA * sqrtHalf).raw.scaled(byPowerOfTwo: 1)
    let powerA = Self.power(integerBits - headroomA - 1, sumBits).raw.saturatingAdding(quarter.raw)

    let headroomB = (significand * sqrtHalf).raw.leadingZeroBitCount - 1
    let rB = raw.scaled(byPowerOfTwo: headroomB)
    let powerB = Self.power(integerBits - headroomB, sumBits).raw.saturatingSubtracting(quarter.raw)

    let logarithmOfTwo = Self(constant: 1_488_522_236)
    let power = Self(raw: max(powerA, powerB), integerBits: sumBits)
    let (numerator, denominator) = Self(raw: min(rA, rB), integerBits: 0).logarithmFraction
    let reciprocal = denominator.reciprocalOfOnePlus
    return (power * logarithmOfTwo + numerator.rescaled(integerBits: sumBits) * reciprocal)
      .rescaled(integerBits: resultBits)
  }

  private static func power(_ exponent: Int, _ integerBits: Int) -> Self {
    Self(
      raw: Int32(exponent).scaled(byPowerOfTwo: 31 - integerBits), integerBits: integerBits)
  }

  /// Numerator, and denominator less 1, of the approximation to `ln(self · 2^(1/4))`.
  private var logarithmFraction: (Self, Self) {
    let center = Self(constant: 1_805_811_301)  // √√½
    let p = Self(raw: Int32.roundingHalfSum(raw, center.raw), integerBits: 0)
    let half = self - center
    let q = half + half
    let square = q * q
    let numerator = q * self + q * square * Self(constant: 117_049_297)  // 11/240 √√2
    let bracket =
      Self(constant: 1_057_819_769)  // 2/√√2 − √√2
      + q + Self(constant: 127_690_142) * square  // 1/20 √√2
    let denominator = p * bracket + Self(constant: 638_450_708) * q  // 1/4 √√2
    return (numerator, denominator)
  }
}
