#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

// Vectors as parts of 16 bytes, and lanes twice.

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

/// Every lane twice: the first half of the lanes, and the second.
@inline(__always)
func doubled(_ x: SumVector) -> (low: SumVector, high: SumVector) {
  (SumVector(x[0], x[0], x[1], x[1]), SumVector(x[2], x[2], x[3], x[3]))
}

/// In every part four bytes of each vector, clamped to 0...255, and four that mean nothing.
@inline(__always)
func bytesOfThree(_ a: SumVector, _ b: SumVector, _ c: SumVector) -> SumVector {
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
