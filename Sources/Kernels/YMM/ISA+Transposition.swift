import _Builtin_intrinsics.intel

/// Transposes four lanes of four vectors in each 16-byte segment.
@inline(__always)
func transposedSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let ab = (
    _mm256_unpacklo_epi32(asBits(a), asBits(b)), _mm256_unpackhi_epi32(asBits(a), asBits(b))
  )
  let cd = (
    _mm256_unpacklo_epi32(asBits(c), asBits(d)), _mm256_unpackhi_epi32(asBits(c), asBits(d))
  )
  return (
    asLanes(_mm256_unpacklo_epi64(ab.0, cd.0)), asLanes(_mm256_unpackhi_epi64(ab.0, cd.0)),
    asLanes(_mm256_unpacklo_epi64(ab.1, cd.1)), asLanes(_mm256_unpackhi_epi64(ab.1, cd.1))
  )
}
