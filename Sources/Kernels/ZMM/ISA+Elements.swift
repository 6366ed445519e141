import _Builtin_intrinsics.intel

// Elements smaller than a lane, and selections of floats.

/// Loads one signed byte per lane.
@inline(__always)
func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm512_cvtepi8_epi32(address.loadUnaligned(as: __m128i.self)))
}

@inline(__always)
func squareRoot(_ x: FloatVector) -> FloatVector { _mm512_sqrt_ps(x) }

/// Estimates the reciprocal square root with a relative error below 2⁻¹⁴.
@inline(__always)
func reciprocalSquareRootEstimate(_ x: FloatVector) -> FloatVector { _mm512_rsqrt14_ps(x) }

/// Computes `a - b · c` with a single rounding.
@inline(__always)
func fusedMultiplySubtract(_ a: FloatVector, _ b: FloatVector, _ c: FloatVector) -> FloatVector {
  _mm512_fnmadd_ps(b, c, a)
}

/// Whether any lane is negative.
@inline(__always)
func hasNegativeLane(_ x: SumVector) -> Bool { _mm512_movepi32_mask(asBits(x)) != 0 }

/// Looks up every byte in the table of its 16-byte segment; bytes from 128 on give 0.
@inline(__always)
func shuffled(_ tables: SumVector, by bytes: SumVector) -> SumVector {
  asLanes(
    _mm512_shuffle_epi8(
      asBits(tables), asBits(bytes)))
}

/// Subtracts signed bytes with saturation.
@inline(__always)
func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_subs_epi8(asBits(a), asBits(b)))
}

/// Returns the minima of signed bytes.
@inline(__always)
func minimumOfBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_min_epi8(asBits(a), asBits(b)))
}

/// Repeats 16 bytes in every segment.
@inline(__always)
func repeated(_ bytes: SIMD4<Int32>) -> SumVector {
  let half = SIMD8(lowHalf: bytes, highHalf: bytes)
  return SumVector(lowHalf: half, highHalf: half)
}

/// Widens the first eight bytes of each 16-byte segment to the upper halves of 16-bit numbers.
///
/// The bytes of `lower` become the lower halves.
@inline(__always)
func wordsOfFirstBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
  asLanes(_mm512_unpacklo_epi8(asBits(lower), asBits(upper)))
}

/// Widens the last eight bytes like `wordsOfFirstBytes`.
@inline(__always)
func wordsOfLastBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
  asLanes(_mm512_unpackhi_epi8(asBits(lower), asBits(upper)))
}

/// Narrows widened numbers to signed bytes in their original order, with saturation.
@inline(__always)
func bytesOfWords(first: SumVector, last: SumVector) -> SumVector {
  asLanes(_mm512_packs_epi16(asBits(first), asBits(last)))
}

/// Multiplies signed 16-bit numbers and divides by 2¹⁵, rounding half up.
@inline(__always)
func roundedProductsOfWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_mulhrs_epi16(asBits(a), asBits(b)))
}

/// Adds signed 16-bit numbers with saturation.
@inline(__always)
func addSaturatingWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_adds_epi16(asBits(a), asBits(b)))
}

/// Returns all ones in the 16-bit lanes in which the signed number of `a` is greater than that of
/// `b`.
@inline(__always)
func greaterWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  // The comparison intrinsics are C macros. A saturated difference has the sign of the exact one.
  asLanes(_mm512_srai_epi16(_mm512_subs_epi16(asBits(b), asBits(a)), 15))
}

/// Selects bytes of `a` where all bits of `choice` are set, else of `b`.
@inline(__always)
func selectBytes(_ choice: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  b ^ ((a ^ b) & choice)
}

/// Shifts signed 16-bit numbers to the right, rounding down.
@inline(__always)
func shiftWordsRight(_ x: SumVector, by bits: Int32) -> SumVector {
  asLanes(_mm512_sra_epi16(asBits(x), _mm_cvtsi32_si128(bits)))
}

/// Selects lanes of `a` where the sign bit of `choice` is set, else of `b`.
@inline(__always)
func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  _mm512_mask_blend_ps(_mm512_movepi32_mask(asBits(choice)), b, a)
}

/// Computes `x · 2^exponent` for integral exponents.
@inline(__always)
func scaled(_ x: FloatVector, byPowersOfTwo exponents: FloatVector) -> FloatVector {
  _mm512_scalef_ps(x, exponents)
}
