/// The natural logarithm within about one unit of the last place; of zero the negative infinity, of
/// negative numbers NaN.
///
/// Polynomial: S. Moshier, Cephes mathematical library, single precision.
@inline(__always)
func logarithm(_ x: FloatVector) -> FloatVector {
  let bits = integerBits(x)
  // Negative for all but the normal numbers above zero.
  let isSpecial =
    (bits &- SumVector(repeating: 0x0080_0000)) | (SumVector(repeating: 0x7F7F_FFFF) &- bits)
  if hasNegativeLane(isSpecial) { return logarithmOfAny(x) }
  return logarithmOfNormal(bits, SumVector())
}

/// `log(x · 2^shift)` of normal numbers above zero, by their bits.
@inline(__always)
private func logarithmOfNormal(_ bits: SumVector, _ shift: SumVector) -> FloatVector {
  // `x = 2^exponent · (1 + f)`, where 1 + f lies between the root of one half and that of two.
  let exponent = (bits &- SumVector(repeating: 0x3F35_04F3)) &>> 23
  let f =
    unsafeBitCast(bits &- (exponent &<< 23), to: FloatVector.self) - FloatVector(repeating: 1)
  let power = floats(exponent &+ shift)
  var sum = FloatVector(repeating: 7.037_683_6e-2)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.151_461e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 1.167_699_9e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.242_014_1e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 1.424_932_3e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -1.666_805_8e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 2.000_071_5e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: -2.499_999_4e-1), sum, f)
  sum = FusedMultiplyAdd.multiplyAdd(FloatVector(repeating: 3.333_333_1e-1), sum, f)
  let square = f * f
  // log 2 in two parts, the first so short that its multiples are exact.
  var low = FusedMultiplyAdd.multiplyAdd(
    power * FloatVector(repeating: -2.121_944_4e-4), sum, square * f)
  low = FusedMultiplyAdd.multiplyAdd(low, square, FloatVector(repeating: -0.5))
  return FusedMultiplyAdd.multiplyAdd(f + low, power, FloatVector(repeating: 0.693_359_375))
}

@inline(never)
private func logarithmOfAny(_ x: FloatVector) -> FloatVector {
  // Numbers below the normal ones are made such.
  let bits = integerBits(x)
  let isTiny = bits &- SumVector(repeating: 0x0080_0000)
  let result = logarithmOfNormal(
    integerBits(select(isTiny, x * FloatVector(repeating: 0x1p23), x)),
    (isTiny &>> 31) & SumVector(repeating: -23))
  let isZero = ~nonZeroLanes(bits & ~signBits)
  // Negative for all numbers above zero but infinity.
  let isPositive = ~bits & (bits &- SumVector(repeating: 0x7F80_0000)) & ~isZero
  let negative = select(
    isZero, FloatVector(repeating: -.infinity), FloatVector(repeating: .nan))
  // What is neither above zero nor below is infinity, or NaN already.
  return select(isPositive, result, select(bits | isZero, negative, x))
}
