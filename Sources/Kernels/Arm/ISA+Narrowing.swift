import _Builtin_intrinsics.arm.neon

/// Narrows four vectors to signed bytes in order, with saturation, and clamps the bytes.
@inline(__always)
func narrowed(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector, high: SumVector
) -> SumVector {
  let ab = vqmovn_high_s32(vqmovn_s32(a), b)
  let cd = vqmovn_high_s32(vqmovn_s32(c), d)
  let bytes = vqmovn_high_s16(vqmovn_s16(ab), cd)
  return asLanes(vminq_s8(vmaxq_s8(bytes, asBytes(low)), asBytes(high)))
}

/// Stores the first `count` quarters of a vector, one per row.
@inline(__always)
func storeQuarters(_ bytes: SumVector, count: Int, to destination: ResultDestination) {
  store(bytes[0], to: destination.address(0))
  if count > 1 { store(bytes[1], to: destination.address(1)) }
  if count > 2 { store(bytes[2], to: destination.address(2)) }
  if count > 3 { store(bytes[3], to: destination.address(3)) }
}

/// Stores the two halves of a vector to different addresses.
@inline(__always)
func storeHalves(
  _ bytes: SumVector, to low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer
) {
  let halves = unsafeBitCast(bytes, to: WideVector.self)
  store(halves[0], to: low)
  store(halves[1], to: high)
}
