import _Builtin_intrinsics.intel

/// Narrows four vectors to signed bytes in order, with saturation, and clamps the bytes.
@inline(__always)
func narrowed(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector, high: SumVector
) -> SumVector {
  let ab = _mm256_packs_epi32(
    asBits(a), asBits(b))
  let cd = _mm256_packs_epi32(
    asBits(c), asBits(d))
  let clamped = _mm256_min_epi8(
    _mm256_max_epi8(_mm256_packs_epi16(ab, cd), asBits(low)),
    asBits(high))
  // Packing works within 16-byte halves, each of which then has four lanes of every vector.
  return asLanes(
    _mm256_permutevar8x32_epi32(
      clamped, asBits(SumVector(0, 4, 1, 5, 2, 6, 3, 7))))
}

/// Stores the first `count` quarters of a vector, one per row.
@inline(__always)
func storeQuarters(_ bytes: SumVector, count: Int, to destination: ResultDestination) {
  let quarters = unsafeBitCast(bytes, to: WideVector.self)
  store(quarters[0], to: destination.address(0))
  if count > 1 { store(quarters[1], to: destination.address(1)) }
  if count > 2 { store(quarters[2], to: destination.address(2)) }
  if count > 3 { store(quarters[3], to: destination.address(3)) }
}

/// Stores the two halves of a vector to different addresses.
@inline(__always)
func storeHalves(
  _ bytes: SumVector, to low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer
) {
  storeInt32s(bytes.lowHalf, to: low)
  storeInt32s(bytes.highHalf, to: high)
}
