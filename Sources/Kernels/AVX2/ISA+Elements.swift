import _Builtin_intrinsics.intel

// Elements that are narrower than a lane, and choices between floats.

/// Reads a signed byte a lane.
@inline(__always)
func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
  asLanes(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(loadInt64(address))))
}

@inline(__always)
func squareRoot(_ x: FloatVector) -> FloatVector { _mm256_sqrt_ps(x) }

/// The reciprocal within 1.5 · 2⁻¹² of it.
@inline(__always)
func reciprocalEstimate(_ x: FloatVector) -> FloatVector { _mm256_rcp_ps(x) }

/// `a - b · c`, rounded once.
@inline(__always)
func fusedMultiplySubtract(_ a: FloatVector, _ b: FloatVector, _ c: FloatVector) -> FloatVector {
  _mm256_fnmadd_ps(b, c, a)
}

/// Whether a lane is negative.
@inline(__always)
func hasNegativeLane(_ x: SumVector) -> Bool {
  _mm256_movemask_ps(unsafeBitCast(x, to: FloatVector.self)) != 0
}

/// Looks every byte up in the table of 16 in its part of 16; bytes from 128 on give 0.
@inline(__always)
func shuffled(_ tables: SumVector, by bytes: SumVector) -> SumVector {
  asLanes(
    _mm256_shuffle_epi8(
      asBits(tables), asBits(bytes)))
}

/// Subtracts signed bytes, saturating.
@inline(__always)
func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_subs_epi8(asBits(a), asBits(b)))
}

/// All bits of bytes that are greater as signed numbers.
@inline(__always)
func greaterBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_cmpgt_epi8(asBits(a), asBits(b)))
}

/// The smaller of each two bytes, as numbers with a sign.
@inline(__always)
func minimumOfBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_min_epi8(asBits(a), asBits(b)))
}

/// The same 16 bytes in every part.
@inline(__always)
func repeated(_ bytes: SIMD4<Int32>) -> SumVector { SumVector(lowHalf: bytes, highHalf: bytes) }

/// Lanes of `a` where the sign bit of `choice` is set, else of `b`.
@inline(__always)
func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
  _mm256_blendv_ps(b, a, unsafeBitCast(choice, to: FloatVector.self))
}

/// `x · 2^exponent` for whole exponents.
@inline(__always)
func scaled(_ x: FloatVector, byPowersOfTwo exponents: FloatVector) -> FloatVector {
  scaledInTwoSteps(x, exponents)
}
