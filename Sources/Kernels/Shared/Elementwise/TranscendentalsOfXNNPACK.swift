// XNNPACK's exponential, logarithm, sine, cosine and ELU, step by step, for the same bits. But for
// ELU and the logarithm of infinity and NaN they are the same on all processors with fused multiply-adds.

/// The sum of this and a number below 2²² in magnitude has no bits for a fraction.
private var wholeShifter: Float {
  @inline(__always)
  get { 12_582_912 }
}

/// Returns `2^n · (1 + r · P(r) / Q(r))`, where `n + r` is the binary logarithm of `exp(x)`.
@inline(__always)
func exponentialOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let power = minimum(
    maximum(x * Lanes(repeating: binaryLogarithmOfE), Lanes(repeating: -127)),
    Lanes(repeating: 128))
  let shifter = Lanes(repeating: wholeShifter)
  let whole = (power + shifter) - shifter
  let r = power - whole
  let scale = asExponents(whole + Lanes(repeating: 8_388_735))
  var over = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 0x1.89DAF6p-5), r, Lanes(repeating: 0x1.6AE8E6p-8))
  over = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0x1.62E430p-1), r, over)
  var under = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: -0x1.1BDD2Ap-2), r, Lanes(repeating: 0x1.89034Ep-6))
  let one = Lanes(repeating: 1)
  under = FusedMultiplyAdd.multiplyAdd(one, r, under)
  return ((r * over) / under + one) * scale
}

/// Returns the logarithm of the exponent, plus `P(v) / Q(v)` of the significand `1 + v`.
@inline(__always)
func logarithmOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let raised = raisedByHalfAnOctave(x)
  let one = Lanes(repeating: 1)
  let v = raised.map(significand) * Lanes(repeating: 0.707_106_888_29) - one
  var over = FusedMultiplyAdd.multiplyAdd(one, v, Lanes(repeating: 0.182_499_691_844))
  over = v * FusedMultiplyAdd.multiplyAdd(one, v, over)
  var under = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 0.599_170_029_163), v, Lanes(repeating: 0.049_584_995_955))
  under = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1.5), v, under)
  under = FusedMultiplyAdd.multiplyAdd(one, v, under)
  return FusedMultiplyAdd.multiplyAdd(
    over / under, raised.map(signedExponent), Lanes(repeating: 0x1.62E430p-1))
}

/// Returns the number whose exponent is that of `x`, rounded.
///
/// The product of the factor and the one by which significands are lowered again is one.
@inline(__always)
func raisedByHalfAnOctave<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  x * Lanes(repeating: 1.414_213_419_0)
}

/// Returns the significand of a float, from one to two.
@inline(__always)
private func significand(_ x: FloatVector) -> FloatVector {
  let bits = (integerBits(x) & SumVector(repeating: 0x7F_FFFF)) | SumVector(repeating: 0x3F80_0000)
  return unsafeBitCast(bits, to: FloatVector.self)
}

/// Returns the exponent of a float; minus infinity for zero, and NaN for negative numbers.
@inline(__always)
private func signedExponent(_ x: FloatVector) -> FloatVector {
  let isZero = asLanes(x .== FloatVector.zero)
  let bits = integerBits(x) | (isZero & signBits)
  // The exponent in the uppermost bits of the significand of a number from 256 on. With a sign bit
  // that shifts ones into the exponent, it becomes minus infinity or NaN.
  let shifted = (bits & SumVector(repeating: -0x80_0000)) &>> 8
  let sum = unsafeBitCast(shifted | SumVector(repeating: 0x4380_0000), to: FloatVector.self)
  return sum - FloatVector(repeating: 383)
}

@inline(__always)
func sineOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes { sineOfReduced(withoutTurns(x)) }

/// Returns the sine of the complement; a quarter turn is subtracted in two parts.
@inline(__always)
func cosineOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let complement =
    (Lanes(repeating: 1.570_796_370_5) - withoutTurns(x)) + Lanes(repeating: -4.371_138_8e-8)
  return sineOfReduced(complement)
}

/// Subtracts whole turns, in two parts.
@inline(__always)
private func withoutTurns<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let turns = (x * Lanes(repeating: 0.159_154_94)).map(roundedToNearest)
  let high = FusedMultiplyAdd.multiplyAdd(x, turns, Lanes(repeating: -6.281_25))
  return FusedMultiplyAdd.multiplyAdd(high, turns, Lanes(repeating: -1.935_307_2e-3))
}

/// Returns the sine of an angle of at most one and a half turns.
@inline(__always)
private func sineOfReduced<Lanes: FloatLanes>(_ angle: Lanes) -> Lanes {
  let half = Lanes(repeating: 3.141_592_7)
  var v = minimum(angle, half - angle)
  v = maximum(v, Lanes(repeating: -3.141_592_7) - v)
  v = minimum(v, half - v)
  let square = v * v
  let one = Lanes(repeating: 1)
  var over = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: -1.331_466_436_4e-1), square, Lanes(repeating: 3.234_058_152_9e-3))
  over = v * FusedMultiplyAdd.multiplyAdd(one, square, over)
  var under = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 3.351_991_251_1e-2), square, Lanes(repeating: 4.877_077_590_2e-4))
  under = FusedMultiplyAdd.multiplyAdd(one, square, under)
  return over / under
}

/// Returns `x < 0 ? exp(x) - 1 : x`, with the power of two in quarters of an octave.
@inline(__always)
func exponentialLinearOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let z = maximum(Lanes(repeating: leastOfExponentialLinear), x)
  let shifter = Lanes(repeating: 0x1.8p21)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, z, Lanes(repeating: binaryLogarithmOfE))
  let t = FusedMultiplyAdd.multiplyAdd(z, shifted - shifter, Lanes(repeating: -0x1.62E430p-1))
  var sum = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 0x1.557082p-3), t, Lanes(repeating: 0x1.554F9Ap-5))
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0x1.000002p-1), sum, t) * t
  return exponentialLinear(x, sum, t, scale: shifted.map(quarterOctaves))
}

/// Below this, the exponential of `x` is lost in the difference from one.
var leastOfExponentialLinear: Float {
  @inline(__always)
  get { -0x1.154246p+4 }
}

/// Returns `scale · (1 + t + t · sum) - 1` where `x` is negative, else `x`.
@inline(__always)
func exponentialLinear<Lanes: FloatLanes>(
  _ x: Lanes, _ sum: Lanes, _ t: Lanes, scale: Lanes
) -> Lanes {
  let scaled = t * scale
  let power = FusedMultiplyAdd.multiplyAdd(scaled, sum, scaled)
  return select(x, power + (scale - Lanes(repeating: 1)), x)
}

/// Returns two to the power whose number of quarters is in the lowest bits.
@inline(__always)
private func quarterOctaves(_ shifted: FloatVector) -> FloatVector {
  let bits = integerBits(shifted)
  // The powers of 2^(1/4), less their index, which the shift moves into the exponent's lowest bits.
  let isOdd = bits &<< 31, isUpper = bits &<< 30
  let lower = select(
    isOdd, FloatVector(repeating: 0x1.F06FE0p-1), FloatVector(repeating: 0x1.000000p+0))
  let upper = select(
    isOdd, FloatVector(repeating: 0x1.EE89FAp-1), FloatVector(repeating: 0x1.EA09E6p-1))
  let root = integerBits(select(isUpper, upper, lower))
  return unsafeBitCast(root &+ (bits &<< 21), to: FloatVector.self)
}
