// `tanh(x)` and `exp(x) - 1` with the bits that the reference gets from `tanhf` and `expm1f` of the
// GNU C library (to version 2.40; later ones round correctly).
//
// Those functions are an ulp or two off, and where they are is decided by each of their roundings.
// So the steps below are theirs: the same reduction, the same rational approximation, in the same
// order, nothing fused. What they branch on, each lane selects here.

/// `tanh |x| = 1 - 2 / (m + 2)` where `m = exp(2|x|) - 1`, or `-m / (m + 2)` with `-2|x|` below one,
/// with the sign of `x`.
@inline(__always)
func tanhAsLibm(_ x: FloatVector) -> FloatVector {
  let (one, two) = (FloatVector(repeating: 1), FloatVector(repeating: 2))
  // Beyond ten, results are one anyway; NaN stays.
  let magnitude = minimum(FloatVector(repeating: 10), magnitude(x))
  let isBelowOne = integerBits(magnitude - one)
  let exponent = select(isBelowOne, FloatVector.zero - two * magnitude, two * magnitude)
  let parts = ReducedExponential(exponent)
  let less = select(isBelowOne, parts.lessOneOfNegative, parts.lessOneOfLarge)
  let sum = less + two
  let result = select(isBelowOne, less / sum, one - two / sum)
  let bits = integerBits(result) & ~signBits
  return unsafeBitCast(bits | (integerBits(x) & signBits), to: FloatVector.self)
}

/// `exp(x) - 1` of numbers up to zero.
@inline(__always)
func exponentialLessOneAsLibm(_ x: FloatVector) -> FloatVector {
  // Below, results are -1 anyway.
  ReducedExponential(maximum(FloatVector(repeating: -27), x)).lessOneOfNegative
}

/// `exp(x) = 2^power · (1 + remainder)`.
private struct ReducedExponential {
  /// A whole number.
  let power: FloatVector
  /// `2^power`.
  let scale: FloatVector
  /// `exp(r) - 1` of what is left of `x` without whole multiples of log 2.
  let remainder: FloatVector

  @inline(__always)
  init(_ x: FloatVector) {
    // Adding 3 · 2²² leaves no bits for a fraction: what is left in the lowest ones is the power.
    let shifter = FloatVector(repeating: 12_582_912)
    let shifted = x * FloatVector(repeating: 1.442_695) + shifter
    power = shifted - shifter
    scale = unsafeBitCast(
      (integerBits(shifted) &<< SumVector(repeating: 23)) &+ integerBits(Self.one),
      to: FloatVector.self)
    let high = x - power * FloatVector(repeating: 0.693_138_1)
    let low = power * FloatVector(repeating: 9.058_001e-6)
    let r = high - low
    // What rounding took from r.
    let correction = (high - r) - low

    let half = FloatVector(repeating: 0.5) * r
    let square = r * half
    var sum = FloatVector(repeating: -2.010_992_12e-7)
    sum = FloatVector(repeating: 4.008_217_7e-6) + square * sum
    sum = FloatVector(repeating: -7.936_507_6e-5) + square * sum
    sum = FloatVector(repeating: 0.001_587_301_6) + square * sum
    sum = FloatVector(repeating: -0.033_333_335) + square * sum
    sum = Self.one + square * sum
    let t = FloatVector(repeating: 3) - sum * half
    let quotient = square * ((sum - t) / (FloatVector(repeating: 6) - r * t))
    remainder = r - ((r * (quotient - correction) - correction) - square)
  }

  /// `exp(x) - 1` of numbers up to zero.
  ///
  /// The one is taken off at once where the power of two is 1/2 or 1, behind the scaling otherwise.
  /// Minus zero keeps its sign, since nothing but itself is added to it.
  @inline(__always)
  var lessOneOfNegative: FloatVector {
    let isSmall = integerBits(power + FloatVector(repeating: 1.5))
    let before = select(isSmall, Self.one, FloatVector(repeating: -0.0))
    let after = select(isSmall, Self.one, Self.one - scale)
    return (before + remainder) * scale - after
  }

  /// `exp(x) - 1` of numbers of two and more.
  @inline(__always)
  var lessOneOfLarge: FloatVector { ((Self.one - Self.one / scale) + remainder) * scale }

  private static var one: FloatVector {
    @inline(__always)
    get { FloatVector(repeating: 1) }
  }
}
