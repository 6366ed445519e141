import _Builtin_intrinsics.intel

/// A vector of doubles as large as `SumVector`.
typealias DoubleVector = SIMD8<Double>

/// Adds, lane by lane, the products of two 16-bit numbers with two others.
@inline(__always)
func dotPairs(_ sums: SumVector, _ x: SumVector, _ y: SumVector) -> SumVector {
  asLanes(
    _mm512_dpwssd_epi32(
      asBits(sums), asBits(x),
      asBits(y)))
}

/// Adds, lane by lane, the products of four numbers from 0 to 15 with four signed bytes.
@inline(__always)
func dotNibbles(_ sums: SumVector, _ nibbles: SumVector, _ bytes: SumVector) -> SumVector {
  dot(sums, nibbles, bytes)
}

/// Sixteen-bit numbers, one a lane.
@inline(__always)
func int16sToLanes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm512_cvtepi16_epi32(address.loadUnaligned(as: __m256i.self)))
}

/// Stores the lower half of every lane, which must be the number itself.
@inline(__always)
func storeInt16s(_ x: SumVector, to output: UnsafeMutableRawPointer) {
  output.storeBytes(
    of: _mm512_cvtepi32_epi16(asBits(x)), as: __m256i.self)
}

/// The lower half of the lanes as doubles, and the upper one.
@inline(__always)
func doubles(_ x: SumVector) -> (low: DoubleVector, high: DoubleVector) {
  (
    _mm512_cvtepi32_pd(unsafeBitCast(x.lowHalf, to: __m256i.self)),
    _mm512_cvtepi32_pd(unsafeBitCast(x.highHalf, to: __m256i.self))
  )
}

/// Doubles without their fractions; `Int32.min` where that does not fit.
@inline(__always)
func truncated(low: DoubleVector, high: DoubleVector) -> SumVector {
  SumVector(
    lowHalf: unsafeBitCast(_mm512_cvttpd_epi32(low), to: SIMD8<Int32>.self),
    highHalf: unsafeBitCast(_mm512_cvttpd_epi32(high), to: SIMD8<Int32>.self))
}

/// The sums of neighbouring lanes, in the lower half; what is behind them means nothing.
@inline(__always)
func pairSums(_ x: SumVector) -> SumVector {
  let wide = unsafeBitCast(x, to: WideVector.self)
  let pairs = _mm512_cvtepi64_epi32(wide &+ (wide &>> 32))
  return SumVector(lowHalf: unsafeBitCast(pairs, to: SIMD8<Int32>.self), highHalf: SIMD8())
}
