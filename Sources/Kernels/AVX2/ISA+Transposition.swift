import _Builtin_intrinsics.intel

/// Transposes four lanes of four vectors in every part of 16 bytes.
@inline(__always)
func transposedParts(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let ab = (_mm256_unpacklo_epi32(bits(a), bits(b)), _mm256_unpackhi_epi32(bits(a), bits(b)))
  let cd = (_mm256_unpacklo_epi32(bits(c), bits(d)), _mm256_unpackhi_epi32(bits(c), bits(d)))
  return (
    lanes(_mm256_unpacklo_epi64(ab.0, cd.0)), lanes(_mm256_unpackhi_epi64(ab.0, cd.0)),
    lanes(_mm256_unpacklo_epi64(ab.1, cd.1)), lanes(_mm256_unpackhi_epi64(ab.1, cd.1))
  )
}

@inline(__always)
private func bits(_ vector: SumVector) -> __m256i { unsafeBitCast(vector, to: __m256i.self) }

@inline(__always)
private func lanes(_ vector: __m256i) -> SumVector { unsafeBitCast(vector, to: SumVector.self) }
