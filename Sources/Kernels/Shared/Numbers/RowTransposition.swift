#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

/// Returns four elements of as many rows as a vector has lanes, as one vector per column.
@inline(__always)
func transposedRows(
  _ rows: UnsafeRawPointer, apart stride: Int
) -> (SumVector, SumVector, SumVector, SumVector) {
  transposedSegments(
    everyFourth(rows, apart: stride), everyFourth(rows + stride, apart: stride),
    everyFourth(rows + 2 &* stride, apart: stride), everyFourth(rows + 3 &* stride, apart: stride))
}

/// Returns four elements of every fourth row.
@inline(__always)
func everyFourth(_ rows: UnsafeRawPointer, apart stride: Int) -> SumVector {
  let first = loadInt32s(rows)
  return joined(
    first, segmentCount > 1 ? loadInt32s(rows + 4 &* stride) : first,
    segmentCount > 2 ? loadInt32s(rows + 8 &* stride) : first,
    segmentCount > 2 ? loadInt32s(rows + 12 &* stride) : first)
}

#if arch(x86_64)
  /// Transposes four rows of four lanes.
  @inline(__always)
  func transposed(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
    let a = unsafeBitCast(a, to: __m128i.self), b = unsafeBitCast(b, to: __m128i.self)
    let c = unsafeBitCast(c, to: __m128i.self), d = unsafeBitCast(d, to: __m128i.self)
    let lowPairs = _mm_unpacklo_epi32(a, b), highPairs = _mm_unpackhi_epi32(a, b)
    let lowOthers = _mm_unpacklo_epi32(c, d), highOthers = _mm_unpackhi_epi32(c, d)
    return (
      unsafeBitCast(_mm_unpacklo_epi64(lowPairs, lowOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpackhi_epi64(lowPairs, lowOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpacklo_epi64(highPairs, highOthers), to: SIMD4<Int32>.self),
      unsafeBitCast(_mm_unpackhi_epi64(highPairs, highOthers), to: SIMD4<Int32>.self)
    )
  }
#else
  /// Transposes four rows of four lanes.
  @inline(__always)
  func transposed(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>) {
    (
      SIMD4(a[0], b[0], c[0], d[0]), SIMD4(a[1], b[1], c[1], d[1]),
      SIMD4(a[2], b[2], c[2], d[2]), SIMD4(a[3], b[3], c[3], d[3])
    )
  }
#endif
