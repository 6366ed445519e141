/// `exp(x) = 2^power · (1 + remainder)`.
private struct Exponential<Lanes: FloatLanes> {
  /// A whole number.
  var power: Lanes
  /// The same in the lower bits of a float, with the offset of exponents.
  private var shiftedPower: Lanes
  /// `exp(r) - 1` of what is left of `x` without whole multiples of log 2, at most half of that.
  var remainder: Lanes

  /// The polynomial comes within 1.4e-8 of the remainder, relatively (weighted least squares
  /// that approach the least greatest error).
  @inline(__always)
  init(_ x: Lanes) {
    // Adding 3 · 2²² leaves no bits for a fraction; 127 more make an exponent of the lowest bits.
    let shifter = Lanes(repeating: 12_582_912 + 127)
    shiftedPower = FusedMultiplyAdd.multiplyAdd(
      shifter, x, Lanes(repeating: 1.442_695_04))
    let multiples = shiftedPower - shifter
    // log 2 in two parts, the first so short that its multiples are exact.
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

  /// `2^power`, where that is a normal number, and zero instead of 2^-127.
  @inline(__always)
  var scale: Lanes {
    asExponents(shiftedPower)
  }
}

/// `2^(a · b) = scale · fraction`, where the scale is a normal number or zero instead of 2^-127.
///
/// It takes fewer steps than the exponential above, and is not as near: the polynomial comes within 9.2e-8 of
/// the power, relatively (weighted least squares that approach the least greatest error).
private struct PowerOfTwo<Lanes: FloatLanes> {
  /// The whole part of the exponent, as above.
  private var shiftedPower: Lanes
  private var rest: Lanes

  @inline(__always)
  init(_ a: Lanes, _ b: Lanes, exponentOffset: Float = 127) {
    let shifter = Lanes(repeating: 12_582_912 + exponentOffset)
    shiftedPower = FusedMultiplyAdd.multiplyAdd(shifter, a, b)
    rest = FusedMultiplyAdd.multiplyAdd(shifter - shiftedPower, a, b)
  }

  /// Multiplies by `2^(a · b)`, which is next to one.
  @inline(__always)
  mutating func multiply(byPowerOf a: Lanes, _ b: Lanes) {
    rest = FusedMultiplyAdd.multiplyAdd(rest, a, b)
  }

  @inline(__always)
  var scale: Lanes { asExponents(shiftedPower) }

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

/// `exp(x)` or `exp(-x) = scale · fraction`, where the scale is a normal number or zero instead of 2^-127.
private struct QuickExponential<Lanes: FloatLanes> {
  var scale, fraction: Lanes

  /// Relatively, the power is off by 1.3e-8 times `x` more than the polynomial unless it is `refined`.
  @inline(__always)
  init(_ x: Lanes, sign: Float = 1, refined: Bool = false) {
    #if FMA
      // The logarithm of e to the base of two, in two parts.
      var power = PowerOfTwo(x, Lanes(repeating: sign * 1.442_695_02))
      if refined { power.multiply(byPowerOf: x, Lanes(repeating: sign * 1.925_963e-8)) }
      (scale, fraction) = (power.scale, power.fraction)
    #else
      // A product that is rounded before its whole part is taken off would lose too much.
      let parts = Exponential(x * Lanes(repeating: sign))
      (scale, fraction) = (parts.scale, Lanes(repeating: 1) + parts.remainder)
    #endif
  }
}

/// Two to the power of every lane, which must be the exponent of a normal number.
@inline(__always)
private func powerOfTwo(_ exponent: SumVector) -> FloatVector {
  let bits = (exponent &+ SumVector(repeating: 127)) &<< SumVector(repeating: 23)
  return unsafeBitCast(bits, to: FloatVector.self)
}

/// `x · 2^exponent` for whole exponents between -151 and 129, in two steps, since neither 2^128 nor
/// 2^-149 is the exponent of a normal number.
@inline(__always)
func scaledInTwoSteps(_ x: FloatVector, _ exponent: FloatVector) -> FloatVector {
  let power = truncated(exponent)
  let half = shiftRight(power, SumVector(repeating: 1))
  return x * powerOfTwo(half) * powerOfTwo(power &- half)
}

/// `exp(x)` within about one unit of the last place, to infinity and through the subnormal
/// numbers to zero.
@inline(__always)
func exponential<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // Beyond, results are infinite or zero anyway.
  let bounded = maximum(Lanes(repeating: -104), minimum(Lanes(repeating: 89), x))
  let parts = Exponential(bounded)
  return scaled(Lanes(repeating: 1) + parts.remainder, byPowersOfTwo: parts.power)
}

/// The same bits, sooner where all results are far from the ends of what floats have: an exponent's bits
/// are all that these need.
@inline(__always)
func exponentialOfFour(_ x: Quartet) -> Quartet {
  let signs = (signsOfLarge(x.a) | signsOfLarge(x.b)) | (signsOfLarge(x.c) | signsOfLarge(x.d))
  if hasNegativeLane(signs) { return exponential(x) }
  let parts = Exponential(x)
  return FusedMultiplyAdd.multiplyAdd(parts.scale, parts.scale, parts.remainder)
}

/// Negative in lanes of a magnitude above 64, and in those that are no number.
@inline(__always)
private func signsOfLarge(_ x: FloatVector) -> SumVector {
  SumVector(repeating: Int32(bitPattern: Float(64).bitPattern))
    &- (asLanes(x) & SumVector(repeating: .max))
}

/// The same for numbers up to zero, but zero where the result would be below the normal numbers.
///
/// Softmax and logistic meet such numbers wherever a model is sure of something, and some processors
/// take ten times as long for products that are subnormal.
@inline(__always)
func exponentialOfNegative<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  // From here on the exponent's bits are those of zero.
  let power = QuickExponential(maximum(Lanes(repeating: -88), x))
  return power.scale * power.fraction
}

/// `addend + exp(-x)`, which is infinite where the exponential has no float, and the addend where it is
/// next to nothing.
@inline(__always)
func sumWithExponential<Lanes: FloatLanes>(_ addend: Lanes, ofNegated x: Lanes) -> Lanes {
  // The first is -128 log 2, whose exponent's bits are those of infinity.
  let bounded = minimum(Lanes(repeating: 88), maximum(Lanes(repeating: -88.722_84), x))
  let power = QuickExponential(bounded, sign: -1, refined: true)
  return FusedMultiplyAdd.multiplyAdd(addend, power.scale, power.fraction)
}

/// `exp(x) - 1` of numbers up to zero, without loss near zero.
@inline(__always)
func exponentialLessOne<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let parts = Exponential(maximum(Lanes(repeating: -25), x))
  return FusedMultiplyAdd.multiplyAdd(
    parts.scale - Lanes(repeating: 1), parts.scale, parts.remainder)
}

/// `2^(a · b - 1) = scale · fraction` for products from -126 up to zero; zero for those next to -126.
@inline(__always)
func halfOfPowerOfTwo<Lanes: FloatLanes>(
  _ a: Lanes, _ b: Lanes
) -> (scale: Lanes, fraction: Lanes) {
  // One less in the exponent is the half.
  let power = PowerOfTwo(a, b, exponentOffset: 126)
  return (power.scale, power.fraction)
}
