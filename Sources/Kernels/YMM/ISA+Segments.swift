import _Builtin_intrinsics.intel

// The 16-byte segments of a vector, and rearrangements of lanes.

/// The number of 16-byte segments in a vector.
let segmentCount = 2

/// Creates a vector from the first two segments.
@inline(__always)
func joined(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>
) -> SumVector { SumVector(lowHalf: a, highHalf: b) }

/// Returns a segment; `index` is a literal at every call.
@inline(__always)
func segment(_ x: SumVector, _ index: Int) -> SIMD4<Int32> { index == 0 ? x.lowHalf : x.highHalf }

/// Repeats every lane twice: the lower half of the lanes in `low`, and the upper half in `high`.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  let lanes = asBits(x)
  let low = asBits(SumVector(0, 0, 1, 1, 2, 2, 3, 3))
  let high = asBits(SumVector(4, 4, 5, 5, 6, 6, 7, 7))
  return (
    asLanes(_mm256_permutevar8x32_epi32(lanes, low)),
    asLanes(_mm256_permutevar8x32_epi32(lanes, high))
  )
}

/// Narrows three vectors to unsigned bytes: in each 16-byte segment four of each, and four
/// unspecified ones.
@inline(__always)
func narrowedThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  let first = _mm256_packs_epi32(
    asBits(a), asBits(b))
  let third = asBits(c)
  return asLanes(_mm256_packus_epi16(first, _mm256_packs_epi32(third, third)))
}
