/// The greatest whole numbers up to these; NaN stays.
@inline(__always)
func roundedDown(_ x: FloatVector) -> FloatVector {
  let cut = truncated(x)
  // Negative numbers with a fraction were cut upwards: one less is all ones added. A difference of
  // zero has no sign then.
  let fraction = (x - floats(cut)) + FloatVector.zero
  return whole(floats(cut &+ (integerBits(fraction) &>> 31)), at: x)
}

/// The least whole numbers from these on; NaN stays.
@inline(__always)
func roundedUp(_ x: FloatVector) -> FloatVector {
  let cut = truncated(x)
  return whole(floats(cut &- (integerBits(floats(cut) - x) &>> 31)), at: x)
}

/// The nearest whole numbers, halves to the even one; NaN stays.
@inline(__always)
func roundedToNearest(_ x: FloatVector) -> FloatVector {
  // No bits are left for a fraction.
  whole((magnitude(x) + allWhole) - allWhole, at: x)
}

/// From here on all floats are whole.
private var allWhole: FloatVector {
  @inline(__always)
  get { FloatVector(repeating: 0x1p23) }
}

/// The number found, with the sign of `x`, which zeros keep too, or `x` itself where that is whole anyway.
@inline(__always)
private func whole(_ found: FloatVector, at x: FloatVector) -> FloatVector {
  let bits = (integerBits(found) & ~signBits) | (integerBits(x) & signBits)
  let isSmall = integerBits(magnitude(x)) &- integerBits(allWhole)
  return select(isSmall, unsafeBitCast(bits, to: FloatVector.self), x)
}
