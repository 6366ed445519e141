// `tanh(x)` and `exp(x) - 1` with the bits that the reference gets from `tanhf` and `expm1f` of the
// GNU C library (to version 2.40; later ones round correctly).
//
// Those functions are an ulp or two off, and where they are is decided by each of their roundings.
// So the steps below are theirs: the same reduction, the same rational approximation, in the same
// order, nothing fused. What they branch on, each lane selects here.

/// `tanh |x| = 1 - 2 / (m + 2)` where `m = exp(2|x|) - 1`, or `-m / (m + 2)` with `-2|x|` below one,
/// with the sign of `x`.
@inline(__always)
func tanhAsLibm<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let (one, two) = (Lanes(repeating: 1), Lanes(repeating: 2))
  // Beyond ten, results are one anyway; NaN stays.
  let magnitude = minimum(Lanes(repeating: 10), x.map(magnitude))
  let isBelowOne = magnitude - one
  let exponent = select(isBelowOne, Lanes(repeating: 0) - two * magnitude, two * magnitude)
  let parts = ReducedExponential(exponent)
  let less = select(isBelowOne, parts.lessOneOfNegative, parts.lessOneOfLarge)
  let sum = less + two
  let quotient = select(isBelowOne, less, two) / sum
  return withSigns(of: x, select(isBelowOne, quotient, one - quotient))
}

/// `exp(x) - 1` of numbers up to zero.
@inline(__always)
func exponentialLessOneAsLibm<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // Below, results are -1 anyway.
  ReducedExponential(maximum(Lanes(repeating: -27), x)).lessOneOfNegative
}

/// `exp(x) = 2^power · (1 + remainder)`.
private struct ReducedExponential<Lanes: FloatLanes> {
  /// A whole number.
  let power: Lanes
  /// `2^power`.
  let scale: Lanes
  /// `exp(r) - 1` of what is left of `x` without whole multiples of log 2.
  let remainder: Lanes

  @inline(__always)
  init(_ x: Lanes) {
    // Adding 3 · 2²² leaves no bits for a fraction: what is left in the lowest ones is the power.
    let shifter = Lanes(repeating: 12_582_912)
    let shifted = x * Lanes(repeating: 1.442_695) + shifter
    power = shifted - shifter
    // The offset of exponents.
    scale = asExponents(shifted + Lanes(repeating: 127))
    let high = x - power * Lanes(repeating: 0.693_138_1)
    let low = power * Lanes(repeating: 9.058_001e-6)
    let r = high - low
    // What rounding took from r.
    let correction = (high - r) - low

    let half = Lanes(repeating: 0.5) * r
    let square = r * half
    var sum = Lanes(repeating: -2.010_992_12e-7)
    sum = Lanes(repeating: 4.008_217_7e-6) + square * sum
    sum = Lanes(repeating: -7.936_507_6e-5) + square * sum
    sum = Lanes(repeating: 0.001_587_301_6) + square * sum
    sum = Lanes(repeating: -0.033_333_335) + square * sum
    sum = Self.one + square * sum
    let t = Lanes(repeating: 3) - sum * half
    let quotient = square * ((sum - t) / (Lanes(repeating: 6) - r * t))
    remainder = r - ((r * (quotient - correction) - correction) - square)
  }

  /// `exp(x) - 1` of numbers up to zero.
  ///
  /// The one is taken off at once where the power of two is 1/2 or 1, behind the scaling otherwise.
  /// Minus zero keeps its sign, since nothing but itself is added to it.
  @inline(__always)
  var lessOneOfNegative: Lanes {
    let isSmall = power + Lanes(repeating: 1.5)
    let before = select(isSmall, Self.one, Lanes(repeating: -0.0))
    let after = select(isSmall, Self.one, Self.one - scale)
    return (before + remainder) * scale - after
  }

  /// `exp(x) - 1` of numbers of two and more.
  @inline(__always)
  var lessOneOfLarge: Lanes { ((Self.one - Self.one / scale) + remainder) * scale }

  private static var one: Lanes {
    @inline(__always)
    get { Lanes(repeating: 1) }
  }
}
