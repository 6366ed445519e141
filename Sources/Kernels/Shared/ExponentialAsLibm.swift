/// `exp(x)` with the bits that the reference gets from `expf` of the GNU C library.
///
/// That library splits the exponent at 32nds and takes a cubic polynomial in double precision for
/// the rest, whose error is what decides the last bit where an exact result would be near a tie.
/// So the split and the degree of the polynomial are the same here; its coefficients are those of
/// the least greatest relative error, which only one polynomial has.
@inline(__always)
func exponentialAsLibm(_ x: FloatVector) -> FloatVector {
  // Beyond, results are infinite or zero anyway.
  let x = clamp(x, FloatVector(repeating: -104), FloatVector(repeating: 89))
  return floats(exponential(doublesOfLowHalf(x)), exponential(doublesOfHighHalf(x)))
}

@inline(__always)
private func exponential(_ x: DoubleVector) -> DoubleVector {
  let product = x * DoubleVector(repeating: 46.166_241_308_446_83)
  let steps = rounded(product)
  let r = product - steps
  var cubic = DoubleVector(repeating: 1.6938359250928142e-06)
  cubic = multiplyAdd(DoubleVector(repeating: 0.00023459809789508896), cubic, r)
  cubic = multiplyAdd(DoubleVector(repeating: 0.021660849396613134), cubic, r)
  cubic = multiplyAdd(DoubleVector(repeating: 1), cubic, r)
  return powerOfTwo(steps * DoubleVector(repeating: 0.03125)) * cubic
}

/// Two to the power of numbers of moderate size, to 15 digits.
@inline(__always)
private func powerOfTwo(_ x: DoubleVector) -> DoubleVector {
  let whole = rounded(x)
  let f = x - whole
  var sum = DoubleVector(repeating: 7.069_914_468_274_223e-09)
  sum = multiplyAdd(DoubleVector(repeating: 1.020_866_956_457_149e-07), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 1.321_545_675_972_904e-06), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 1.525_265_735_150_025e-05), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.000_154_035_304_141_476_42), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.001_333_355_823_004_328_6), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.009_618_129_107_645_711), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.055_504_108_664_448_2), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.240_226_506_959_096_75), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 0.693_147_180_559_948_8), sum, f)
  sum = multiplyAdd(DoubleVector(repeating: 1), sum, f)
  // The sum of a small integer and the number that rounds has the integer in its lowest bits.
  let exponents = unsafeBitCast(whole + roundingShift, to: WideVector.self) &<< 52
  return unsafeBitCast(
    unsafeBitCast(sum, to: WideVector.self) &+ exponents, to: DoubleVector.self)
}

/// What leaves no bits for a fraction when it is added.
private var roundingShift: DoubleVector {
  @inline(__always)
  get { DoubleVector(repeating: 0x1.8p52) }
}

@inline(__always)
private func rounded(_ x: DoubleVector) -> DoubleVector { (x + roundingShift) - roundingShift }

/// Rounds the sum only, where the hardware can; which of the two does not show in floats.
@inline(__always)
private func multiplyAdd(
  _ sum: DoubleVector, _ a: DoubleVector, _ b: DoubleVector
) -> DoubleVector {
  #if FMA
    sum.addingProduct(a, b)
  #else
    sum + a * b
  #endif
}
