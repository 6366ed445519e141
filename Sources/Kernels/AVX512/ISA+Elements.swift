import _Builtin_intrinsics.intel

// Elements that are narrower than a lane, and choices between floats.

/// Reads a signed byte a lane.
@inline(__always)
func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm512_cvtepi8_epi32(address.loadUnaligned(as: __m128i.self)))
}

@inline(__always)
func squareRoot(_ x: FloatVector) -> FloatVector { _mm512_sqrt_ps(x) }

/// The reciprocal of the root within 2⁻¹⁴ of it.
@inline(__always)
func reciprocalSquareRootEstimate(_ x: FloatVector) -> FloatVector { _mm512_rsqrt14_ps(x) }

/// `a - b · c`, rounded once.
@inline(__always)
func fusedMultiplySubtract(_ a: FloatVector, _ b: FloatVector, _ c: FloatVector) -> FloatVector {
  _mm512_fnmadd_ps(b, c, a)
}

/// Whether a lane is negative.
@inline(__always)
func hasNegativeLane(_ x: SumVector) -> Bool { _mm512_movepi32_mask(asBits(x)) != 0 }

/// Looks every byte up in the table of 16 in its part of 16; bytes from 128 on give 0.
@inline(__always)
func shuffled(_ tables: SumVector, by bytes: SumVector) -> SumVector {
  asLanes(
    _mm512_shuffle_epi8(
      asBits(tables), asBits(bytes)))
}

/// Subtracts signed bytes, saturating.
@inline(__always)
func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_subs_epi8(asBits(a), asBits(b)))
}

/// The smaller of each two bytes, as numbers with a sign.
@inline(__always)
func minimumOfBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_min_epi8(asBits(a), asBits(b)))
}

/// The same 16 bytes in every part.
@inline(__always)
func repeated(_ bytes: SIMD4<Int32>) -> SumVector {
  let half = SIMD8(lowHalf: bytes, highHalf: bytes)
  return SumVector(lowHalf: half, highHalf: half)
}

/// Bytes as the upper halves of 16-bit numbers, above lower halves: of every part of 16 bytes the first eight.
@inline(__always)
func wordsOfFirstBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
  asLanes(_mm512_unpacklo_epi8(asBits(lower), asBits(upper)))
}

/// The same of the last eight.
@inline(__always)
func wordsOfLastBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
  asLanes(_mm512_unpackhi_epi8(asBits(lower), asBits(upper)))
}

/// Makes signed bytes, saturating, of what the two functions above gave.
@inline(__always)
func bytesOfWords(first: SumVector, last: SumVector) -> SumVector {
  asLanes(_mm512_packs_epi16(asBits(first), asBits(last)))
}

/// The products of signed 16-bit numbers, divided by 2¹⁵ and rounded, halves up.
@inline(__always)
func roundedProductsOfWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_mulhrs_epi16(asBits(a), asBits(b)))
}

/// Adds signed 16-bit numbers, saturating.
@inline(__always)
func addSaturatingWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_adds_epi16(asBits(a), asBits(b)))
}

/// All bits of 16-bit numbers that are greater, with their signs.
@inline(__always)
func greaterWords(_ a: SumVector, _ b: SumVector) -> SumVector {
  // Comparisons are macros of C. A saturated difference has the sign of the exact one.
  asLanes(_mm512_srai_epi16(_mm512_subs_epi16(asBits(b), asBits(a)), 15))
}

/// Bytes of `a` where all bits of `choice` are set, else of `b`.
@inline(__always)
func selectBytes(_ choice: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
  b ^ ((a ^ b) & choice)
}

/// Divides signed 16-bit numbers by a power of two, rounding down.
@inline(__always)
func shiftWordsRight(_ x: SumVector, by places: Int32) -> SumVector {
  asLanes(_mm512_sra_epi16(asBits(x), _mm_cvtsi32_si128(places)))
}

/// Lanes of `a` where the sign bit of `choice` is set, else of `b`.
@inline(__always)
func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  _mm512_mask_blend_ps(_mm512_movepi32_mask(asBits(choice)), b, a)
}

/// `x · 2^exponent` for whole exponents.
@inline(__always)
func scaled(_ x: FloatVector, byPowersOfTwo exponents: FloatVector) -> FloatVector {
  _mm512_scalef_ps(x, exponents)
}
