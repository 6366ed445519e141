/// Rounds down to integers; NaN stays.
@inline(__always)
func roundedDown(_ x: FloatVector) -> FloatVector {
  let cut = truncated(x)
  // Truncation raises negative numbers with a fraction; adding all ones lowers them by one. Adding
  // zero removes the sign of a difference of zero.
  let fraction = (x - floats(cut)) + FloatVector.zero
  return whole(floats(cut &+ (integerBits(fraction) &>> 31)), at: x)
}

/// Rounds up to integers; NaN stays.
@inline(__always)
func roundedUp(_ x: FloatVector) -> FloatVector {
  let cut = truncated(x)
  return whole(floats(cut &- (integerBits(floats(cut) - x) &>> 31)), at: x)
}

/// Rounds to the nearest integers, ties to even; NaN stays.
@inline(__always)
func roundedToNearest(_ x: FloatVector) -> FloatVector {
  // The sum has no bits for a fraction.
  whole((magnitude(x) + allWhole) - allWhole, at: x)
}

/// Rounds numbers below 2²³ to the nearest integers, ties away from zero.
///
/// The addend is the float just below one half, because with one half the numbers just below it
/// would become one. The rounding of the addition carries ties over.
@inline(__always)
func roundedAwayFromZero(_ x: FloatVector) -> SumVector {
  let sign = asLanes(x) & SumVector(repeating: .min)
  let almostHalf = SumVector(repeating: 0x3EFF_FFFF) | sign
  return truncated(x + unsafeBitCast(almostHalf, to: FloatVector.self))
}

/// Floats from here on are integers.
private var allWhole: FloatVector {
  @inline(__always)
  get { FloatVector(repeating: 0x1p23) }
}

/// Returns the rounded number with the sign of `x`, or `x` itself if it is an integer by its size.
@inline(__always)
private func whole(_ found: FloatVector, at x: FloatVector) -> FloatVector {
  let bits = (integerBits(found) & ~signBits) | (integerBits(x) & signBits)
  let isSmall = integerBits(magnitude(x)) &- integerBits(allWhole)
  return select(isSmall, unsafeBitCast(bits, to: FloatVector.self), x)
}
