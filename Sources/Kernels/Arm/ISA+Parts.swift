import _Builtin_intrinsics.arm.neon

// Vectors as parts of 16 bytes, of which there is one, and lanes in another order.

/// The parts of 16 bytes that a vector has.
let partCount = 1

/// A vector of the first part.
@inline(__always)
func joined(
  _ a: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>
) -> SumVector { a }

/// The only part.
@inline(__always)
func part(_ x: SumVector, _: Int) -> SIMD4<Int32> { x }

/// The same 16 bytes in every part.
@inline(__always)
func repeated(_ bytes: SIMD4<Int32>) -> SumVector { bytes }

/// Every lane twice: the first half of the lanes, and the second.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  (vzip1q_s32(x, x), vzip2q_s32(x, x))
}

/// In every part four bytes of each vector, clamped to 0...255, and four that mean nothing.
@inline(__always)
func bytesOfThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  let first = vqmovn_high_s32(vqmovn_s32(a), b)
  let third = vqmovn_s32(c)
  return asLanes(vqmovun_high_s16(vqmovun_s16(first), vcombine_s16(third, third)))
}

/// The sums of neighbouring lanes, in the lower half; what is behind them means nothing.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector { vpaddq_s32(x, x) }

/// Transposes four lanes of four vectors.
@inline(__always)
func transposedParts(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector
) -> (SumVector, SumVector, SumVector, SumVector) {
  let ab = (asPairs(vtrn1q_s32(a, b)), asPairs(vtrn2q_s32(a, b)))
  let cd = (asPairs(vtrn1q_s32(c, d)), asPairs(vtrn2q_s32(c, d)))
  return (
    asLanes(vtrn1q_s64(ab.0, cd.0)), asLanes(vtrn1q_s64(ab.1, cd.1)),
    asLanes(vtrn2q_s64(ab.0, cd.0)), asLanes(vtrn2q_s64(ab.1, cd.1))
  )
}

/// The bits of a vector as 64-bit numbers.
@inline(__always)
func asPairs(_ x: SumVector) -> int64x2_t { unsafeBitCast(x, to: int64x2_t.self) }
