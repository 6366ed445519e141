import _Builtin_intrinsics.intel

/// A vector of doubles of the size of `SumVector`.
typealias DoubleVector = SIMD8<Double>

/// Adds to each lane the dot product of two pairs of 16-bit numbers.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  asLanes(
    _mm512_dpwssd_epi32(
      asBits(sums), asBits(x),
      asBits(y)))
}

/// Loads one 16-bit integer per lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm512_cvtepi16_epi32(address.loadUnaligned(as: __m256i.self)))
}

/// Stores lanes that fit 16 bits as 16-bit integers.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm512_cvtepi32_epi16(asBits(x)), as: __m256i.self)
}

/// Converts the lower and the upper half of the lanes to doubles.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (
    _mm512_cvtepi32_pd(unsafeBitCast(x.lowHalf, to: __m256i.self)),
    _mm512_cvtepi32_pd(unsafeBitCast(x.highHalf, to: __m256i.self))
  )
}

/// Truncates doubles to integers; results out of range are `Int32.min`.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  SumVector(
    lowHalf: unsafeBitCast(_mm512_cvttpd_epi32(low), to: SIMD8<Int32>.self),
    highHalf: unsafeBitCast(_mm512_cvttpd_epi32(high), to: SIMD8<Int32>.self))
}

/// Returns the sums of adjacent lanes in the lower half; the upper half is unspecified.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector {
  let int64s = unsafeBitCast(x, to: WideVector.self)
  let pairs = _mm512_cvtepi64_epi32(int64s &+ (int64s &>> 32))
  return SumVector(lowHalf: unsafeBitCast(pairs, to: SIMD8<Int32>.self), highHalf: SIMD8())
}
