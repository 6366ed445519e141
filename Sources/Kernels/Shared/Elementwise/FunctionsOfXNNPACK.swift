// The approximations of XNNPACK's micro-kernels for AVX2 with fused multiply-adds: what they compute,
// step by step, for the same bits. The page "LiteRT's default numerics" lists the formulas.

/// Returns a polynomial of the fourth degree, by Horner's scheme, from its highest coefficient on.
@inline(__always)
func polynomial<Lanes: FloatLanes>(
  _ x: Lanes, _ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float
) -> Lanes {
  var sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: b), x, Lanes(repeating: a))
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: c), x, sum)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: d), x, sum)
  return FusedMultiplyAdd.multiplyAdd(Lanes(repeating: e), x, sum)
}

/// Returns a polynomial of the fifth degree, by Horner's scheme, from its highest coefficient on.
@inline(__always)
func polynomial<Lanes: FloatLanes>(
  _ x: Lanes, _ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float, _ f: Float
) -> Lanes {
  let sum = polynomial(x, a, b, c, d, e)
  return FusedMultiplyAdd.multiplyAdd(Lanes(repeating: f), x, sum)
}

/// Returns `exp(x)` for numbers that are not positive, from the remainder of a range reduction.
@inline(__always)
private func powerOfRemainder<Lanes: FloatLanes>(_ t: Lanes, scale: Lanes) -> Lanes {
  var sum = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 0x1.573A1Ap-5), Lanes(repeating: 0x1.0F9F9Cp-7), t)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0x1.555A80p-3), sum, t)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0x1.FFFDC6p-2), sum, t)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 0x1.FFFFF6p-1), sum, t)
  return FusedMultiplyAdd.multiplyAdd(scale, t * scale, sum)
}

/// The number whose lowest bits hold the biased exponent after `x · log2 e` is added.
var exponentShifter: Float {
  @inline(__always)
  get { 0x1.8000FEp23 }
}

var binaryLogarithmOfE: Float {
  @inline(__always)
  get { 0x1.715476p0 }
}

/// Replaces lanes by zero where `x` is so small that its exponential is subnormal.
@inline(__always)
func withoutSubnormal<Lanes: FloatLanes>(_ power: Lanes, of x: Lanes) -> Lanes {
  power.zip(x) {
    let isBelow = asLanes($1 .< FloatVector(repeating: -0x1.5D589Ep+6))
    return unsafeBitCast(asLanes($0) & ~isBelow, to: FloatVector.self)
  }
}

@inline(__always)
func logisticOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let z = negativeMagnitude(x)
  let shifter = Lanes(repeating: exponentShifter)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, z, Lanes(repeating: binaryLogarithmOfE))
  let t = FusedMultiplyAdd.multiplyAdd(z, shifted - shifter, Lanes(repeating: -0x1.62E430p-1))
  let power = powerOfRemainder(t, scale: asExponents(shifted))
  let one = Lanes(repeating: 1)
  let low = withoutSubnormal(power / (power + one), of: z)
  return select(x, low, one - low)
}

@inline(__always)
func sigmoidLinearOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes { x * logisticOfXNNPACK(x) }

/// Returns `exp(x)` for numbers that are not positive, as in a softmax.
@inline(__always)
func exponentialOfNegativeOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let shifter = Lanes(repeating: exponentShifter)
  let shifted = FusedMultiplyAdd.multiplyAdd(shifter, x, Lanes(repeating: binaryLogarithmOfE))
  let multiple = shifted - shifter
  let high = FusedMultiplyAdd.multiplyAdd(x, multiple, Lanes(repeating: -0x1.62E400p-1))
  let t = FusedMultiplyAdd.multiplyAdd(high, multiple, Lanes(repeating: -0x1.7F7D1Cp-20))
  return withoutSubnormal(powerOfRemainder(t, scale: asExponents(shifted)), of: x)
}

@inline(__always)
func tanhOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let reach: Float = 7.980_718_135_8
  let a = maximum(Lanes(repeating: -reach), minimum(Lanes(repeating: reach), x))
  let square = a * a
  let over = polynomial(
    square, 1.424_892_026_6e-08, 2.123_562_626_4e-05, 3.533_052_047_7e-03, 1.341_241_151_1e-01, 1)
  let under = polynomial(
    square, 8.136_594_829_0e-07, 3.347_297_897_6e-04, 2.601_899_951_7e-02, 4.674_573_540_7e-01, 1)
  return (a * over) / under
}

@inline(__always)
func gaussianErrorLinearOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let reach: Float = 5.163_828_373_0
  let a = maximum(Lanes(repeating: -reach), minimum(Lanes(repeating: reach), x))
  let square = a * a
  let over = polynomial(
    square, 4.583_532_131_6e-08, 1.260_978_388_0e-05, 3.297_311_486_7e-04, 9.306_513_704_4e-03,
    6.697_217_375_0e-02, 7.978_845_238_7e-01)
  let under = polynomial(
    square, 1.198_880_568_2e-06, 7.226_765_592_3e-05, 1.862_284_261_7e-03, 2.843_197_807_7e-02,
    2.506_035_268_3e-01, 1)
  return gaussianGate(x, (a * over) / under)
}

@inline(__always)
func gaussianLinearOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let reach: Float = 4.849_740_98
  let a = maximum(Lanes(repeating: -reach), minimum(Lanes(repeating: reach), x))
  let square = a * a
  let over = polynomial(
    square, 4.954_441_124_0e-08, 1.430_264_910_6e-05, 2.688_701_788_4e-04, 7.289_834_786_2e-03,
    6.080_325_320_4e-02, 7.978_845_834_7e-01)
  let under = polynomial(
    square, 1.343_345_275_0e-06, 7.647_761_231_1e-05, 1.306_035_439_5e-03, 2.438_105_456_5e-02,
    2.436_975_985_8e-01, 1)
  return gaussianGate(x, (a * over) / under)
}

/// Returns `x/2 · (1 + sign)`.
@inline(__always)
private func gaussianGate<Lanes: FloatLanes>(_ x: Lanes, _ sign: Lanes) -> Lanes {
  (x * Lanes(repeating: 0.5)) * (sign + Lanes(repeating: 1))
}

@inline(__always)
func hardSwishOfXNNPACK<Lanes: FloatLanes>(_ x: Lanes) -> Lanes {
  let gate = FusedMultiplyAdd.multiplyAdd(
    Lanes(repeating: 0.5), x, Lanes(repeating: 0x1.555556p-3))
  return minimum(maximum(gate, Lanes(repeating: 0)), Lanes(repeating: 1)) * x
}
