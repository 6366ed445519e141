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

/// All bits of bytes that are greater as signed numbers.
@inline(__always)
func greaterBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  // Comparisons are macros of C. A saturated difference has the sign of the exact one.
  asLanes(_mm512_movm_epi8(_mm512_movepi8_mask(_mm512_subs_epi8(asBits(b), asBits(a)))))
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
