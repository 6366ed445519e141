import _Builtin_intrinsics.intel

/// Transposes four lanes of four vectors in each 16-byte segment.
@inline(__always)
func transposedSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let ab = (
    _mm512_unpacklo_epi32(asBits(a), asBits(b)), _mm512_unpackhi_epi32(asBits(a), asBits(b))
  )
  let cd = (
    _mm512_unpacklo_epi32(asBits(c), asBits(d)), _mm512_unpackhi_epi32(asBits(c), asBits(d))
  )
  return (
    asLanes(_mm512_unpacklo_epi64(ab.0, cd.0)), asLanes(_mm512_unpackhi_epi64(ab.0, cd.0)),
    asLanes(_mm512_unpacklo_epi64(ab.1, cd.1)), asLanes(_mm512_unpackhi_epi64(ab.1, cd.1))
  )
}

/// Transposes the quarters of four vectors.
@inline(__always)
func transposedQuarters(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let low = SumVector(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
  let high = low &+ SumVector(repeating: 8)
  let (ab, cd) = (chosen(low, a, b), chosen(low, c, d))
  let (upperAB, upperCD) = (chosen(high, a, b), chosen(high, c, d))
  let first = SumVector(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
  let second = first &+ SumVector(repeating: 8)
  return (
    chosen(first, ab, cd), chosen(second, ab, cd), chosen(first, upperAB, upperCD),
    chosen(second, upperAB, upperCD)
  )
}

/// Selects lanes of two vectors by their indices.
@inline(__always)
private func chosen(_ lanes: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_permutex2var_epi32(asBits(a), asBits(lanes), asBits(b)))
}

/// Narrows four vectors like `narrowed`, with the bytes of the same lane together.
@inline(__always)
func narrowedByLane(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector, high: SumVector
) -> SumVector {
  let clamped = narrowedInSegments(a, b, c, d, low: low, high: high)
  let order = SumVector(
    0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
    0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
    0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703,
    0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703)
  return asLanes(_mm512_shuffle_epi8(asBits(clamped), asBits(order)))
}

/// Interleaves the lanes of two vectors.
@inline(__always)
func alternating(_ a: SumVector, _ b: SumVector) -> (low: SumVector, high: SumVector) {
  let low = SumVector(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
  let high = SumVector(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
  return (
    asLanes(_mm512_permutex2var_epi32(asBits(a), asBits(low), asBits(b))),
    asLanes(_mm512_permutex2var_epi32(asBits(a), asBits(high), asBits(b)))
  )
}

/// Interleaves the lanes of two vectors within each 16-byte segment.
@inline(__always)
func interleavedLanesInSegments(_ a: SumVector, _ b: SumVector) -> (low: SumVector, high: SumVector)
{
  (
    asLanes(_mm512_unpacklo_epi32(asBits(a), asBits(b))),
    asLanes(_mm512_unpackhi_epi32(asBits(a), asBits(b)))
  )
}

/// Returns the sums of adjacent lanes after `interleavedLanesInSegments`, in the original order.
@inline(__always)
func sumsOfInterleavedLanes(_ low: SumVector, _ high: SumVector) -> SumVector {
  let even = SumVector(0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
  let odd = even &+ SumVector(repeating: 1)
  return asLanes(_mm512_permutex2var_epi32(asBits(low), asBits(even), asBits(high)))
    &+ asLanes(_mm512_permutex2var_epi32(asBits(low), asBits(odd), asBits(high)))
}
