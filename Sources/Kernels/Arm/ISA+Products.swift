import _Builtin_intrinsics.arm.neon

/// Adds, lane by lane, the products of two 16-bit numbers with two others.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  let x = asShorts(x), y = asShorts(y)
  return sums &+ vpaddq_s32(vmull_s16(x.lowHalf, y.lowHalf), vmull_high_s16(x, y))
}
