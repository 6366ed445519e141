import _Builtin_intrinsics.intel

// The 16-byte segments of a vector, and rearrangements of lanes.

/// The number of 16-byte segments in a vector.
let segmentCount = 4

/// Creates a vector from four segments.
@inline(__always)
func joined(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
) -> SumVector {
  SumVector(lowHalf: SIMD8(lowHalf: a, highHalf: b), highHalf: SIMD8(lowHalf: c, highHalf: d))
}

/// Returns a segment; `index` is a literal at every call.
@inline(__always)
func segment(_ x: SumVector, _ index: Int) -> SIMD4<Int32> {
  let half = index < 2 ? x.lowHalf : x.highHalf
  return index % 2 == 0 ? half.lowHalf : half.highHalf
}

/// Repeats every lane twice: the lower half of the lanes in `low`, and the upper half in `high`.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  let lanes = asBits(x)
  let low = SumVector(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
  let high = SumVector(8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15)
  return (
    asLanes(_mm512_permutexvar_epi32(asBits(low), lanes)),
    asLanes(_mm512_permutexvar_epi32(asBits(high), lanes))
  )
}

/// Narrows three vectors to unsigned bytes: in each 16-byte segment four of each, and four
/// unspecified ones.
@inline(__always)
func narrowedThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  let first = _mm512_packs_epi32(
    asBits(a), asBits(b))
  let third = asBits(c)
  return asLanes(_mm512_packus_epi16(first, _mm512_packs_epi32(third, third)))
}
