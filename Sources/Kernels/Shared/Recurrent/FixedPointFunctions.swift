// The 16-bit transcendental functions of gemmlowp (`fixedpoint.h`), one number per 32-bit lane.
// They are bit-exact, because the official kernels are defined by them.

private var largest: SumVector {
  @inline(__always)
  get { SumVector(repeating: 32767) }
}

/// Returns the upper half of the doubled product of 16-bit numbers, rounded to nearest.
@inline(__always)
func doublingHigh(_ a: SumVector, _ b: SumVector) -> SumVector {
  minimum((a &* b &+ SumVector(repeating: 1 << 14)) &>> SumVector(repeating: 15), largest)
}

@inline(__always)
private func doublingHigh(_ a: SumVector, _ b: Int32) -> SumVector {
  doublingHigh(a, SumVector(repeating: b))
}

/// Divides by 2^exponent, with an exponent of at least one, rounding half away from zero.
@inline(__always)
func roundingShiftRight(_ x: SumVector, _ exponent: Int32) -> SumVector {
  let half = SumVector(repeating: 1 &<< (exponent &- 1))
  return (x &+ half &+ (x &>> SumVector(repeating: 31))) &>> SumVector(repeating: exponent)
}

/// Clamps to 16 bits.
@inline(__always)
func saturated(_ x: SumVector) -> SumVector {
  minimum(maximum(x, SumVector(repeating: -32768)), largest)
}

/// Selects lanes of `a` where `mask` is all ones, and of `b` where it is zero.
@inline(__always)
private func choose(_ mask: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  b ^ ((a ^ b) & mask)
}

/// Returns all ones in negative lanes.
@inline(__always)
private func signMask(_ x: SumVector) -> SumVector { x &>> SumVector(repeating: 31) }

/// Returns `exp(x)` of numbers up to zero with `integerBits` integer bits (at most 5).
///
/// The result has no integer bits.
@inline(__always)
private func exponentialOfNegative(_ x: SumVector, integerBits: Int) -> SumVector {
  let count = Int32(truncatingIfNeeded: integerBits)
  let quarter = SumVector(repeating: 1 &<< (13 &- count))
  let inside = (x & (quarter &- SumVector(repeating: 1))) &- quarter
  var result = exponentialInLastQuarter(inside &<< SumVector(repeating: count))
  let remainder = inside &- x
  // exp(-2^exponent) in units of 2⁻¹⁵, for every power of two in the number.
  let one = 16 &+ count
  result = multiply(result, by: 25520, where: remainder, one &+ 2)
  if integerBits > -1 { result = multiply(result, by: 19875, where: remainder, one &+ 1) }
  if integerBits > 0 { result = multiply(result, by: 12055, where: remainder, one) }
  if integerBits > 1 { result = multiply(result, by: 4435, where: remainder, one &- 1) }
  if integerBits > 2 { result = multiply(result, by: 600, where: remainder, one &- 2) }
  if integerBits > 3 { result = multiply(result, by: 11, where: remainder, one &- 3) }
  if integerBits > 4 { result = multiply(result, by: 0, where: remainder, one &- 4) }
  return choose(signMask(x), result, largest)
}

/// Multiplies by a constant the lanes where the bit `position` bits below the highest is set.
@inline(__always)
private func multiply(
  _ x: SumVector, by constant: Int32, where bits: SumVector, _ position: Int32
) -> SumVector {
  let mask = signMask(bits &<< SumVector(repeating: position))
  return choose(mask, doublingHigh(x, constant), x)
}

/// Returns `exp(x)` on [-1/4, 0) without integer bits, by a Taylor expansion around -1/8.
@inline(__always)
private func exponentialInLastQuarter(_ number: SumVector) -> SumVector {
  let center: Int32 = 28918  // exp(-1/8)
  let x = number &+ SumVector(repeating: 1 << 12)
  let x2 = doublingHigh(x, x)
  let x3 = doublingHigh(x2, x)
  let x4 = doublingHigh(x2, x2)
  let third = doublingHigh(roundingShiftRight(x4, 2) &+ x3, 10923)
  let tail = roundingShiftRight(third &+ x2, 1)
  return saturated(SumVector(repeating: center) &+ doublingHigh(x &+ tail, center))
}

/// Returns `2 / (1 + x)` of numbers in [0, 1] by Newton's iteration, with two integer bits.
@inline(__always)
private func reciprocalOfHalfOfOnePlus(_ x: SumVector) -> SumVector {
  let half = (x &+ largest &+ SumVector(repeating: 1)) &>> SumVector(repeating: 1)
  var result = SumVector(repeating: 23130) &+ doublingHigh(half, -15420)
  for _ in 0..<3 {
    let error = SumVector(repeating: 1 << 13) &- doublingHigh(half, result)
    let correction = doublingHigh(result, error)
    result = result &+ saturated(correction &<< SumVector(repeating: 2))
  }
  return result
}

/// Returns `1 / (1 + exp(-x))` of numbers with three integer bits; the result has none.
@inline(__always)
func fixedPointLogistic(_ x: SumVector) -> SumVector {
  let negated = minimum(x, SumVector() &- x)
  let reciprocal = reciprocalOfHalfOfOnePlus(exponentialOfNegative(negated, integerBits: 3))
  // Halving only moves the binary point; the shift converts one integer bit to none.
  let result = saturated(reciprocal &<< SumVector(repeating: 1))
  let isNegative = signMask(x)
  let value = choose(isNegative, largest &- result, result)
  return choose(signMask(negated), value, SumVector(repeating: 1 << 14))
}

/// Returns `tanh(x)` of numbers with `integerBits` integer bits (at most 4); the result has none.
@inline(__always)
func fixedPointTanh(_ x: SumVector, integerBits: Int) -> SumVector {
  let negative = minimum(x, SumVector() &- x)
  let exponential = exponentialOfNegative(negative, integerBits: integerBits &+ 1)
  let difference = reciprocalOfHalfOfOnePlus(exponential) &- SumVector(repeating: 1 << 13)
  let result = saturated(difference &<< SumVector(repeating: 2))
  let signed = choose(signMask(x), SumVector() &- result, result)
  return signed & signMask(negative)
}
