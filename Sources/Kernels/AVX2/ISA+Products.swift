import _Builtin_intrinsics.intel

/// A vector of doubles as large as `SumVector`.
typealias DoubleVector = SIMD4<Double>

/// Adds, lane by lane, the products of two 16-bit numbers with two others.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector { dot(sums, x, y) }

/// Adds, lane by lane, the products of four numbers from 0 to 15 with four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  // Sums of two such products are far from what saturates.
  let pairs = _mm256_maddubs_epi16(
    asBits(nibbles), asBits(bytes))
  return dot(sums, asLanes(pairs), SumVector(repeating: 0x0001_0001))
}

/// Signed bytes as the 16-bit numbers that `dot` takes.
@inline(__always)
func loadWidened(_ address: UnsafeRawPointer) -> SumVector {
  loadWidened(address, isSigned: true)
}

/// Stores 16-bit numbers that are bytes as such.
@inline(__always)
func storeNarrowed(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm_packs_epi16(
      unsafeBitCast(x.lowHalf, to: __m128i.self), unsafeBitCast(x.highHalf, to: __m128i.self)),
    as: __m128i.self)
}

/// Sixteen-bit numbers, one a lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm256_cvtepi16_epi32(address.loadUnaligned(as: __m128i.self)))
}

/// Stores the lower half of every lane, which must be the number itself.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm_packs_epi32(
      unsafeBitCast(x.lowHalf, to: __m128i.self), unsafeBitCast(x.highHalf, to: __m128i.self)),
    as: __m128i.self)
}

/// The lower half of the lanes as doubles, and the upper one.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (
    _mm256_cvtepi32_pd(unsafeBitCast(x.lowHalf, to: __m128i.self)),
    _mm256_cvtepi32_pd(unsafeBitCast(x.highHalf, to: __m128i.self))
  )
}

/// Doubles without their fractions; `Int32.min` where that does not fit.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  SumVector(
    lowHalf: unsafeBitCast(_mm256_cvttpd_epi32(low), to: SIMD4<Int32>.self),
    highHalf: unsafeBitCast(_mm256_cvttpd_epi32(high), to: SIMD4<Int32>.self))
}

/// The sums of neighbouring lanes, in the lower half; what is behind them means nothing.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector {
  let bits = asBits(x)
  let order = asBits(SumVector(0, 1, 4, 5, 2, 3, 6, 7))
  return asLanes(_mm256_permutevar8x32_epi32(_mm256_hadd_epi32(bits, bits), order))
}
