import _Builtin_intrinsics.intel

/// Narrows four vectors to signed bytes in order, with saturation, and clamps the bytes.
@inline(__always)
func narrowed(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector, high: SumVector
) -> SumVector {
  // Packing works within 16-byte segments, each of which then has four lanes of every vector.
  asLanes(
    _mm512_permutexvar_epi32(
      asBits(SumVector(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)),
      asBits(narrowedInSegments(a, b, c, d, low: low, high: high))))
}

/// Narrows four vectors like `narrowed`, in order within each 16-byte segment only.
@inline(__always)
func narrowedInSegments(
  _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector, high: SumVector
) -> SumVector {
  let packed = _mm512_packs_epi16(
    _mm512_packs_epi32(asBits(a), asBits(b)), _mm512_packs_epi32(asBits(c), asBits(d)))
  return asLanes(_mm512_min_epi8(_mm512_max_epi8(packed, asBits(low)), asBits(high)))
}

/// Stores the first `count` quarters of a vector, one per row.
@inline(__always)
func storeQuarters(_ bytes: SumVector, count: Int, to destination: ResultDestination) {
  storeInt32s(quarter(bytes, 0), to: destination.address(0))
  if count > 1 { storeInt32s(quarter(bytes, 1), to: destination.address(1)) }
  if count > 2 { storeInt32s(quarter(bytes, 2), to: destination.address(2)) }
  if count > 3 { storeInt32s(quarter(bytes, 3), to: destination.address(3)) }
}

/// Returns a quarter of the lanes; `index` is a literal at every call.
@inline(__always)
private func quarter(_ vector: SumVector, _ index: Int) -> SIMD4<Int32> {
  let half = index < 2 ? vector.lowHalf : vector.highHalf
  return index % 2 == 0 ? half.lowHalf : half.highHalf
}

/// Stores the two halves of a vector to different addresses.
@inline(__always)
func storeHalves(
  _ bytes: SumVector, to low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer
) {
  let first = bytes.lowHalf, second = bytes.highHalf
  low.storeBytes(of: first, as: SIMD8<Int32>.self)
  high.storeBytes(of: second, as: SIMD8<Int32>.self)
}
