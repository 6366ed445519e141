#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

// The 16-byte segments of a vector, and rearrangements of lanes.

/// The number of 16-byte segments in a vector.
let segmentCount = 1

/// Creates a vector from the first segment.
@inline(__always)
func joined(
  _ a: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>
) -> SumVector { a }

/// Returns the only segment.
@inline(__always)
func segment(_ x: SumVector, _: Int) -> SIMD4<Int32> { x }

/// Repeats every lane twice: the lower half of the lanes in `low`, and the upper half in `high`.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  (SumVector(x[0], x[0], x[1], x[1]), SumVector(x[2], x[2], x[3], x[3]))
}

/// Narrows three vectors to unsigned bytes: in each 16-byte segment four of each, and four
/// unspecified ones.
@inline(__always)
func narrowedThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  #if arch(x86_64)
    let first = _mm_packs_epi32(
      asBits(a), asBits(b))
    let third = asBits(c)
    return asLanes(_mm_packus_epi16(first, _mm_packs_epi32(third, third)))
  #else
    let lowest = SumVector(0x0C08_0400, -1, -1, -1)
    return SumVector(
      shuffled(clampedToBytes(a), by: lowest)[0], shuffled(clampedToBytes(b), by: lowest)[0],
      shuffled(clampedToBytes(c), by: lowest)[0], 0)
  #endif
}
