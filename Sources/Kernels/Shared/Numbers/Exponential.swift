/// The decomposition `exp(x) = 2^power · (1 + remainder)`.
private struct Exponential<Lanes: FloatLanes> {
  /// The exponent, an integer.
  var power: Lanes
  /// The biased exponent in the lowest bits of a float.
  private var shiftedPower: Lanes
  /// `exp(r) - 1`, where r is `x` minus a multiple of log 2, at most half of log 2 in magnitude.
  var remainder: Lanes

  /// Computes the remainder with a polynomial of relative error 1.4e-8.
  ///
  /// The polynomial is a weighted least-squares fit that approaches the minimax solution.
  @inline(__always)
  init(_ x: Lanes) {
    // Adding 3 · 2²² rounds to an integer in the lowest bits; 127 is the bias of exponents.
    let shifter = Lanes(repeating: 12_582_912 + 127)
    shiftedPower = FusedMultiplyAdd.multiplyAdd(
      shifter, x, Lanes(repeating: 1.442_695_04))
    let multiples = shiftedPower - shifter
    // log 2 in two parts, of which the first has so few bits that its multiples are exact.
    let high = FusedMultiplyAdd.multiplyAdd(x, multiples, Lanes(repeating: -0.693_145_75))
    let r = FusedMultiplyAdd.multiplyAdd(
      high, multiples, Lanes(repeating: -1.428_606_8e-6))
    var sum = Lanes(repeating: 0.001_388_249_5)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.008_366_647), sum, r)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.041_667_204), sum, r)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.166_665_42), sum, r)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.499_999_97), sum, r)
    power = multiples
    remainder = FusedMultiplyAdd.multiplyAdd(r, r * r, sum)
  }

  /// `2^power` if that is a normal number; 2^-127 becomes zero.
  @inline(__always)
  var scale: Lanes {
    asExponents(shiftedPower)
  }
}

// Not taken: roots of two from a register (eight: LOGISTIC 13.6 → 11.7 µs on Zen 4; 32: a fifth
// faster still), because Arm and AVX2 must give the same bits.
/// The decomposition `2^(a · b) = scale · fraction`.
///
/// The scale is a normal number; 2^-127 becomes zero. This takes fewer steps than `Exponential` and
/// is less accurate: the polynomial has a relative error of 9.2e-8 (a weighted least-squares fit
/// that approaches the minimax solution).
private struct PowerOfTwo<Lanes: FloatLanes> {
  /// The biased exponent in the lowest bits of a float.
  private var shiftedPower: Lanes
  private var rest: Lanes

  @inline(__always)
  init(_ a: Lanes, _ b: Lanes, exponentOffset: Float = 127) {
    let shifter = Lanes(repeating: 12_582_912 + exponentOffset)
    shiftedPower = FusedMultiplyAdd.multiplyAdd(shifter, a, b)
    rest = FusedMultiplyAdd.multiplyAdd(shifter - shiftedPower, a, b)
  }

  /// Multiplies by `2^(a · b)`, a number close to one.
  @inline(__always)
  mutating func multiply(byPowerOf a: Lanes, _ b: Lanes) {
    rest = FusedMultiplyAdd.multiplyAdd(rest, a, b)
  }

  @inline(__always)
  var scale: Lanes { asExponents(shiftedPower) }

  // Not taken on AVX2: Estrin's scheme (for want of registers GELU takes a quarter more
  // instructions, and LOGISTIC is as fast).
  @inline(__always)
  var fraction: Lanes {
    var sum = Lanes(repeating: 0.001_326_47)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.009_671_51), sum, rest)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.055_507_34), sum, rest)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.240_222_42), sum, rest)
    sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0.693_146_98), sum, rest)
    return FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1), sum, rest)
  }
}

/// The decomposition `exp(±x) = scale · fraction`, with a normal scale; 2^-127 becomes zero.
private struct FastExponential<Lanes: FloatLanes> {
  var scale, fraction: Lanes

  /// Unless it is `refined`, the relative error exceeds the polynomial's by 1.3e-8 times `x`.
  @inline(__always)
  init(_ x: Lanes, sign: Float = 1, refined: Bool = false) {
    #if FMA
      // The binary logarithm of e in two parts.
      var power = PowerOfTwo(x, Lanes(repeating: sign * 1.442_695_02))
      if refined { power.multiply(byPowerOf: x, Lanes(repeating: sign * 1.925_963e-8)) }
      (scale, fraction) = (power.scale, power.fraction)
    #else
      // Without FMA, the rounding of the product would cost too much precision.
      let reduced = Exponential(x * Lanes(repeating: sign))
      (scale, fraction) = (reduced.scale, Lanes(repeating: 1) + reduced.remainder)
    #endif
  }
}

/// Returns two to the power of every lane, which must be the exponent of a normal number.
@inline(__always)
private func powerOfTwo(_ exponent: SumVector) -> FloatVector {
  let bits = (exponent &+ SumVector(repeating: 127)) &<< SumVector(repeating: 23)
  return unsafeBitCast(bits, to: FloatVector.self)
}

/// Returns `x · 2^exponent` for integral exponents from -151 to 129.
///
/// It scales in two steps, since neither 2^128 nor 2^-149 is a normal number.
@inline(__always)
func scaledInTwoSteps(_ x: FloatVector, _ exponent: FloatVector) -> FloatVector {
  let power = truncated(exponent)
  let half = shiftRight(power, SumVector(repeating: 1))
  return x * powerOfTwo(half) * powerOfTwo(power &- half)
}

/// Computes `exp(x)` within about one unit in the last place, including subnormal results.
@inline(__always)
func exponential<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // Beyond these bounds, results are infinite or zero.
  let bounded = maximum(Lanes(repeating: -104), minimum(Lanes(repeating: 89), x))
  let reduced = Exponential(bounded)
  return scaled(Lanes(repeating: 1) + reduced.remainder, byPowersOfTwo: reduced.power)
}

/// Computes the same bits as `exponential`, faster if no result is close to overflow or underflow.
///
/// Then shifting the exponent's bits suffices for scaling.
@inline(__always)
func exponentialOfFour(_ x: Quartet) -> Quartet {
  let signs = (signsOfLarge(x.a) | signsOfLarge(x.b)) | (signsOfLarge(x.c) | signsOfLarge(x.d))
  if hasNegativeLane(signs) { return exponential(x) }
  let reduced = Exponential(x)
  return FusedMultiplyAdd.multiplyAdd(reduced.scale, reduced.scale, reduced.remainder)
}

/// Returns negative lanes where the magnitude exceeds 64, or for NaN.
@inline(__always)
private func signsOfLarge(_ x: FloatVector) -> SumVector {
  SumVector(repeating: Int32(bitPattern: Float(64).bitPattern))
    &- (asLanes(x) & SumVector(repeating: .max))
}

/// Computes `exp(x)` for numbers up to zero, and returns zero instead of subnormal results.
///
/// Softmax and logistic often meet such numbers, whenever a model is certain, and some processors
/// take ten times as long for multiplications with subnormal results.
@inline(__always)
func exponentialOfNegative<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // From this number down, the biased exponent is zero.
  let power = FastExponential(maximum(Lanes(repeating: -88), x))
  return power.scale * power.fraction
}

/// Computes `addend + exp(-x)`, which is infinite if the exponential overflows.
///
/// It is the addend if the exponential underflows.
@inline(__always)
func sumWithExponential<Lanes: FloatLanes>(_ addend: Lanes, ofNegated x: Lanes) -> Lanes {
  // The first bound is -128 log 2, where the biased exponent is that of infinity.
  let bounded = minimum(Lanes(repeating: 88), maximum(Lanes(repeating: -88.722_84), x))
  let power = FastExponential(bounded, sign: -1, refined: true)
  return FusedMultiplyAdd.multiplyAdd(addend, power.scale, power.fraction)
}

/// Computes `exp(x) - 1` for numbers up to zero, without cancellation near zero.
@inline(__always)
func exponentialLessOne<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let reduced = Exponential(maximum(Lanes(repeating: -25), x))
  return FusedMultiplyAdd.multiplyAdd(
    reduced.scale - Lanes(repeating: 1), reduced.scale, reduced.remainder)
}

/// Computes `2^(a · b - 1) = scale · fraction` for products from -126 to zero; zero close to -126.
@inline(__always)
func halfOfPowerOfTwo<Lanes: FloatLanes>(
  _ a: Lanes, _ b: Lanes
) -> (scale: Lanes, fraction: Lanes) {
  // A bias that is lower by one halves the result.
  let power = PowerOfTwo(a, b, exponentOffset: 126)
  return (power.scale, power.fraction)
}
