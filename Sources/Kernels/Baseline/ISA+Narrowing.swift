#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// Narrows four vectors to signed bytes in order, with saturation, and clamps the bytes.
  @inline(__always)
  func narrowed(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector,
    high: SumVector
  ) -> SumVector {
    let ab = _mm_packs_epi32(
      asBits(a), asBits(b))
    let cd = _mm_packs_epi32(
      asBits(c), asBits(d))
    return asLanes(
      _mm_min_epi8(
        _mm_max_epi8(_mm_packs_epi16(ab, cd), asBits(low)),
        asBits(high)))
  }
#else
  /// Narrows four vectors to signed bytes in order, with saturation, and clamps the bytes.
  @inline(__always)
  func narrowed(
    _ a: SumVector, _ b: SumVector, _ c: SumVector, _ d: SumVector, low: SumVector,
    high: SumVector
  ) -> SumVector {
    let low = (low &<< 24) &>> 24, high = (high &<< 24) &>> 24
    return SumVector(
      packed(minimum(high, maximum(low, a))), packed(minimum(high, maximum(low, b))),
      packed(minimum(high, maximum(low, c))), packed(minimum(high, maximum(low, d))))
  }

  /// Packs the lowest byte of every lane.
  @inline(__always)
  private func packed(_ lanes: SumVector) -> Int32 {
    let shifted = (lanes & 0xFF) &<< SumVector(0, 8, 16, 24)
    return shifted[0] | shifted[1] | shifted[2] | shifted[3]
  }
#endif

/// Stores the first `count` quarters of a vector, one per row.
@inline(__always)
func storeQuarters(_ bytes: SumVector, count: Int, to destination: ResultDestination) {
  store(bytes[0], to: destination.address(0))
  if count > 1 { store(bytes[1], to: destination.address(1)) }
  if count > 2 { store(bytes[2], to: destination.address(2)) }
  if count > 3 { store(bytes[3], to: destination.address(3)) }
}

/// Stores the two halves of a vector to different addresses.
@inline(__always)
func storeHalves(
  _ bytes: SumVector, to low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer
) {
  let halves = unsafeBitCast(bytes, to: WideVector.self)
  store(halves[0], to: low)
  store(halves[1], to: high)
}
