// `tanh(x)` and `exp(x) - 1`, bit-exact with the reference's `tanhf` and `expm1f` of the GNU C
// library (up to version 2.40; later ones round correctly).
//
// Those functions are off by one or two units in the last place, depending on each of their
// roundings. So the steps below are the library's: the same reduction and the same rational
// approximation in the same order, without fusing. Its branches become selections per lane.

/// Computes `tanh |x| = 1 - 2 / (m + 2)` with `m = exp(2|x|) - 1`, and the sign of `x`.
///
/// Below one, it computes `-m / (m + 2)` with `m = exp(-2|x|) - 1`.
@inline(__always)
func tanhAsLibm<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let (one, two) = (Lanes(repeating: 1), Lanes(repeating: 2))
  // Beyond ten, results are one; NaN stays.
  let magnitude = minimum(Lanes(repeating: 10), x.map(magnitude))
  let isBelowOne = magnitude - one
  let exponent = select(isBelowOne, Lanes(repeating: 0) - two * magnitude, two * magnitude)
  let reduced = ReducedExponential(exponent)
  let less = select(isBelowOne, reduced.lessOneOfNegative, reduced.lessOneOfLarge)
  let sum = less + two
  let quotient = select(isBelowOne, less, two) / sum
  return withSigns(of: x, select(isBelowOne, quotient, one - quotient))
}

/// Computes `exp(x) - 1` for numbers up to zero.
@inline(__always)
func exponentialLessOneAsLibm<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // Below this bound, results are -1.
  ReducedExponential(maximum(Lanes(repeating: -27), x)).lessOneOfNegative
}

/// The decomposition `exp(x) = 2^power · (1 + remainder)`.
private struct ReducedExponential<Lanes: FloatLanes> {
  /// The exponent, an integer.
  let power: Lanes
  /// `2^power`.
  let scale: Lanes
  /// `exp(r) - 1`, where r is `x` minus a multiple of log 2.
  let remainder: Lanes

  @inline(__always)
  init(_ x: Lanes) {
    // Adding 3 · 2²² rounds to an integer, which is then in the lowest bits.
    let shifter = Lanes(repeating: 12_582_912)
    let shifted = x * Lanes(repeating: 1.442_695) + shifter
    power = shifted - shifter
    // 127 is the bias of exponents.
    scale = asExponents(shifted + Lanes(repeating: 127))
    let high = x - power * Lanes(repeating: 0.693_138_1)
    let low = power * Lanes(repeating: 9.058_001e-6)
    let r = high - low
    // The rounding error of r.
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

  /// `exp(x) - 1` for numbers up to zero.
  ///
  /// The one is subtracted before the scaling if the power of two is 1/2 or 1, else after it. Minus
  /// zero keeps its sign, because only minus zero is added to it.
  @inline(__always)
  var lessOneOfNegative: Lanes {
    let isSmall = power + Lanes(repeating: 1.5)
    let before = select(isSmall, Self.one, Lanes(repeating: -0.0))
    let after = select(isSmall, Self.one, Self.one - scale)
    return (before + remainder) * scale - after
  }

  /// `exp(x) - 1` for numbers of at least two.
  @inline(__always)
  var lessOneOfLarge: Lanes { ((Self.one - Self.one / scale) + remainder) * scale }

  private static var one: Lanes {
    @inline(__always)
    get { Lanes(repeating: 1) }
  }
}
