// The 16-bit transcendental functions of gemmlowp (`fixedpoint.h`), one number in every 32-bit
// lane. Every rounding is that of the official kernels, which are defined through it.

private var largest: SumVector {
  @inline(__always)
  get { SumVector(repeating: 32767) }
}

/// The upper half of the doubled product of two 16-bit numbers, rounded to nearest.
@inline(__always)
func doublingHigh(_ a: SumVector, _ b: SumVector) -> SumVector {
  minimum((a &* b &+ SumVector(repeating: 1 << 14)) &>> SumVector(repeating: 15), largest)
}

@inline(__always)
private func doublingHigh(_ a: SumVector, _ b: Int32) -> SumVector {
  doublingHigh(a, SumVector(repeating: b))
}

/// Divides by a power of two from 2 on: to nearest, half away from zero.
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

/// Lanes of `a` where `mask` is all ones, of `b` where it is zero.
@inline(__always)
private func choose(_ mask: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  b ^ ((a ^ b) & mask)
}

/// All ones where a number is negative.
@inline(__always)
private func signMask(_ x: SumVector) -> SumVector { x &>> SumVector(repeating: 31) }

/// `exp(x)` for numbers that are not positive, with so many bits in front of the point (5 at
/// most); the result has none.
@inline(__always)
private func exponentialOfNegative(_ x: SumVector, integerBits: Int) -> SumVector {
  let count = Int32(truncatingIfNeeded: integerBits)
  let quarter = SumVector(repeating: 1 &<< (13 &- count))
  let inside = (x & (quarter &- SumVector(repeating: 1))) &- quarter
  var result = exponentialInLastQuarter(inside &<< SumVector(repeating: count))
  let remainder = inside &- x
  // exp(-2^exponent) in units of 2⁻¹⁵ for every power of two that the number has.
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

/// Multiplies with a constant where a bit is set, so many below the highest of the lane.
@inline(__always)
private func multiply(
  _ x: SumVector, by constant: Int32, where bits: SumVector, _ position: Int32
) -> SumVector {
  let mask = signMask(bits &<< SumVector(repeating: position))
  return choose(mask, doublingHigh(x, constant), x)
}

/// `exp(x)` on [-1/4, 0) without bits in front of the point: a Taylor expansion around -1/8.
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

/// `2 / (1 + x)` for numbers in [0, 1] by Newton's iteration, with two bits in front of the point.
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

/// `1 / (1 + exp(-x))` of numbers with three bits in front of the point; the result has none.
@inline(__always)
func fixedPointLogistic(_ x: SumVector) -> SumVector {
  let negated = minimum(x, SumVector() &- x)
  let reciprocal = reciprocalOfHalfOfOnePlus(exponentialOfNegative(negated, integerBits: 3))
  // Halved by moving the point, and brought from one bit in front of it to none.
  let result = saturated(reciprocal &<< SumVector(repeating: 1))
  let isNegative = signMask(x)
  let value = choose(isNegative, largest &- result, result)
  return choose(signMask(negated), value, SumVector(repeating: 1 << 14))
}

/// `tanh(x)` of numbers with so many bits in front of the point (4 at most); the result has none.
@inline(__always)
func fixedPointTanh(_ x: SumVector, integerBits: Int) -> SumVector {
  let negative = minimum(x, SumVector() &- x)
  let exponential = exponentialOfNegative(negative, integerBits: integerBits &+ 1)
  let difference = reciprocalOfHalfOfOnePlus(exponential) &- SumVector(repeating: 1 << 13)
  let result = saturated(difference &<< SumVector(repeating: 2))
  let signed = choose(signMask(x), SumVector() &- result, result)
  return signed & signMask(negative)
}
