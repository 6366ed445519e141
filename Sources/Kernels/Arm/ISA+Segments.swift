import _Builtin_intrinsics.arm.neon

// The only 16-byte segment of a vector, and rearrangements of lanes.

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

/// Repeats 16 bytes in every segment.
@inline(__always)
func repeated(_ bytes: SIMD4<Int32>) -> SumVector { bytes }

/// Repeats every lane twice: the lower half of the lanes in `low`, and the upper half in `high`.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  (vzip1q_s32(x, x), vzip2q_s32(x, x))
}

/// Narrows three vectors to unsigned bytes: in each 16-byte segment four of each, and four
/// unspecified ones.
@inline(__always)
func narrowedThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  let first = vqmovn_high_s32(vqmovn_s32(a), b)
  let third = vqmovn_s32(c)
  return asLanes(vqmovun_high_s16(vqmovun_s16(first), vcombine_s16(third, third)))
}

/// Returns the sums of adjacent lanes in the lower half; the upper half is unspecified.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector { vpaddq_s32(x, x) }

/// Transposes four lanes of four vectors.
@inline(__always)
func transposedSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let ab = (asPairs(vtrn1q_s32(a, b)), asPairs(vtrn2q_s32(a, b)))
  let cd = (asPairs(vtrn1q_s32(c, d)), asPairs(vtrn2q_s32(c, d)))
  return (
    asLanes(vtrn1q_s64(ab.0, cd.0)), asLanes(vtrn1q_s64(ab.1, cd.1)),
    asLanes(vtrn2q_s64(ab.0, cd.0)), asLanes(vtrn2q_s64(ab.1, cd.1))
  )
}

/// Reinterprets a vector as 64-bit numbers.
@inline(__always)
func asPairs(_ x: SumVector) -> int64x2_t { unsafeBitCast(x, to: int64x2_t.self) }
