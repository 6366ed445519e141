/// Computes the natural logarithm within about one unit in the last place.
///
/// It is minus infinity for zero, and NaN for negative numbers. Polynomial: S. Moshier, Cephes
/// mathematical library, single precision.
@inline(__always)
func logarithm(_ x: FloatVector) -> FloatVector {
  hasNegativeLane(signsOfSpecial(x)) ? logarithmOfAny(x) : logarithmOfNormal(x, .init(repeating: 0))
}

/// Computes the natural logarithm of four vectors.
@inline(__always)
func logarithm(_ x: Quartet) -> Quartet {
  let signs =
    signsOfSpecial(x.a) | signsOfSpecial(x.b) | signsOfSpecial(x.c) | signsOfSpecial(x.d)
  return hasNegativeLane(signs) ? x.map(logarithmOfAny) : logarithmOfNormal(x, .init(repeating: 0))
}

/// Returns negative lanes for everything but positive normal numbers.
@inline(__always)
private func signsOfSpecial(_ x: FloatVector) -> SumVector {
  let bits = integerBits(x)
  return (bits &- SumVector(repeating: 0x0080_0000)) | (SumVector(repeating: 0x7F7F_FFFF) &- bits)
}

/// Computes `log(x · 2^shift)` of positive normal numbers.
///
/// `x = 2^exponent · (1 + f)`, where 1 + f is between the square roots of one half and two.
@inline(__always)
private func logarithmOfNormal<Lanes: FloatLanes>(_ x: Lanes, _ shift: Lanes) -> Lanes {
  let power = x.map(exponent) + shift
  let f = x.map(mantissa) - Lanes(repeating: 1)
  var sum = Lanes(repeating: 7.037_683_6e-2)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.151_461e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1.167_699_9e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.242_014_1e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 1.424_932_3e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -1.666_805_8e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 2.000_071_5e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: -2.499_999_4e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(Lanes(repeating: 3.333_333_1e-1), sum, f)
  let square = f * f
  // log 2 in two parts, of which the first has so few bits that its multiples are exact.
  var low = FusedMultiplyAdd.multiplyAdd(
    power * Lanes(repeating: -2.121_944_4e-4), sum, square * f)
  low = FusedMultiplyAdd.multiplyAdd(low, square, Lanes(repeating: -0.5))
  return FusedMultiplyAdd.multiplyAdd(f + low, power, Lanes(repeating: 0.693_359_375))
}

/// Returns the exponent for a mantissa between the square roots of one half and two.
@inline(__always)
private func exponent(_ x: FloatVector) -> FloatVector { floats(wholeExponent(x)) }

@inline(__always)
private func wholeExponent(_ x: FloatVector) -> SumVector {
  (integerBits(x) &- SumVector(repeating: 0x3F35_04F3)) &>> 23
}

@inline(__always)
private func mantissa(_ x: FloatVector) -> FloatVector {
  unsafeBitCast(integerBits(x) &- (wholeExponent(x) &<< 23), to: FloatVector.self)
}

@inline(never)
private func logarithmOfAny(_ x: FloatVector) -> FloatVector {
  // Scales subnormal numbers to normal ones.
  let bits = integerBits(x)
  let isTiny = bits &- SumVector(repeating: 0x0080_0000)
  let result = logarithmOfNormal(
    select(isTiny, x * FloatVector(repeating: 0x1p23), x),
    select(isTiny, FloatVector(repeating: -23), FloatVector.zero))
  let isZero = ~nonZeroLanes(bits & ~signBits)
  // Negative for all positive numbers but infinity.
  let isPositive = ~bits & (bits &- SumVector(repeating: 0x7F80_0000)) & ~isZero
  let negative = select(
    isZero, FloatVector(repeating: -.infinity), FloatVector(repeating: .nan))
  // The rest, neither positive and finite nor negative or zero, is infinity, or NaN already.
  return select(isPositive, result, select(bits | isZero, negative, x))
}
