import _Builtin_intrinsics.intel

/// A vector of doubles of the size of `SumVector`.
typealias DoubleVector = SIMD4<Double>

/// Adds to each lane the dot product of two pairs of 16-bit numbers.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  sums &+ asLanes(_mm256_madd_epi16(asBits(x), asBits(y)))
}

/// Loads signed bytes as 16-bit numbers, the operands of `dotPairs`.
@inline(__always)
func loadWidened(_ address: UnsafeRawPointer) -> SumVector {
  loadWidened(address, isSigned: true)
}

/// Stores 16-bit numbers that fit bytes as bytes.
@inline(__always)
func storeNarrowed(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm_packs_epi16(
      unsafeBitCast(x.lowHalf, to: __m128i.self), unsafeBitCast(x.highHalf, to: __m128i.self)),
    as: __m128i.self)
}

/// Loads one 16-bit integer per lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm256_cvtepi16_epi32(address.loadUnaligned(as: __m128i.self)))
}

/// Stores lanes that fit 16 bits as 16-bit integers.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm_packs_epi32(
      unsafeBitCast(x.lowHalf, to: __m128i.self), unsafeBitCast(x.highHalf, to: __m128i.self)),
    as: __m128i.self)
}

/// Converts the lower and the upper half of the lanes to doubles.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (
    _mm256_cvtepi32_pd(unsafeBitCast(x.lowHalf, to: __m128i.self)),
    _mm256_cvtepi32_pd(unsafeBitCast(x.highHalf, to: __m128i.self))
  )
}

/// Truncates doubles to integers; results out of range are `Int32.min`.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  SumVector(
    lowHalf: unsafeBitCast(_mm256_cvttpd_epi32(low), to: SIMD4<Int32>.self),
    highHalf: unsafeBitCast(_mm256_cvttpd_epi32(high), to: SIMD4<Int32>.self))
}

/// Returns the sums of adjacent lanes in the lower half; the upper half is unspecified.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector {
  let bits = asBits(x)
  let order = asBits(SumVector(0, 1, 4, 5, 2, 3, 6, 7))
  return asLanes(_mm256_permutevar8x32_epi32(_mm256_hadd_epi32(bits, bits), order))
}
