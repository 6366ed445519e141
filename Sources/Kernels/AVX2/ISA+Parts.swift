import _Builtin_intrinsics.intel

// Vectors as parts of 16 bytes, and lanes twice.

/// The parts of 16 bytes that a vector has.
let partCount = 2

/// A vector of the first two parts.
@inline(__always)
func joined(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _: SIMD4<Int32>, _: SIMD4<Int32>
) -> SumVector { SumVector(lowHalf: a, highHalf: b) }

/// One of the parts; `index` is a literal at every call.
@inline(__always)
func part(_ x: SumVector, _ index: Int) -> SIMD4<Int32> { index == 0 ? x.lowHalf : x.highHalf }

/// Every lane twice: the first half of the lanes, and the second.
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

/// In every part four bytes of each vector, clamped to 0...255, and four that mean nothing.
@inline(__always)
func bytesOfThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
  let first = _mm256_packs_epi32(
    asBits(a), asBits(b))
  let third = asBits(c)
  return asLanes(_mm256_packus_epi16(first, _mm256_packs_epi32(third, third)))
}
