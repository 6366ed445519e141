import _Builtin_intrinsics.intel

// Vector operators of one instruction each. Those of the standard library work lane by lane, which
// the compiler takes long to vectorize and does not always succeed in.

@inline(__always)
func + (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_add_ps(a, b) }

@inline(__always)
func - (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_sub_ps(a, b) }

@inline(__always)
func * (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_mul_ps(a, b) }

@inline(__always)
func / (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_div_ps(a, b) }

@inline(__always)
func + (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm256_add_pd(a, b) }

@inline(__always)
func - (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm256_sub_pd(a, b) }

@inline(__always)
func * (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm256_mul_pd(a, b) }

@inline(__always)
func / (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm256_div_pd(a, b) }

@inline(__always)
func & (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_and_si256(asBits(a), asBits(b)))
}

@inline(__always)
func | (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_or_si256(asBits(a), asBits(b)))
}

@inline(__always)
func ^ (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm256_xor_si256(asBits(a), asBits(b)))
}

@inline(__always)
prefix func ~ (_ a: SumVector) -> SumVector { a ^ SumVector(repeating: -1) }

@inline(__always)
func &<< (_ a: SumVector, _ b: SumVector) -> SumVector {
  shiftLeft(a, b & SumVector(repeating: 31))
}

@inline(__always)
func &>> (_ a: SumVector, _ b: SumVector) -> SumVector {
  shiftRight(a, b & SumVector(repeating: 31))
}

@inline(__always)
func & (_ a: WideVector, _ b: WideVector) -> WideVector { _mm256_and_si256(a, b) }

@inline(__always)
func | (_ a: WideVector, _ b: WideVector) -> WideVector { _mm256_or_si256(a, b) }

@inline(__always)
func ^ (_ a: WideVector, _ b: WideVector) -> WideVector { _mm256_xor_si256(a, b) }

@inline(__always)
func &<< (_ a: WideVector, _ b: WideVector) -> WideVector {
  _mm256_sllv_epi64(a, b & WideVector(repeating: 63))
}

/// Multiplies the even 32-bit lanes to 64-bit products.
@inline(__always)
func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector { _mm256_mul_epi32(x, y) }

/// Moves the odd lanes to even positions, for `multiplyEvenLanes`.
///
/// This is a shuffle, because after a shift the compiler would see 64-bit operands and emit three
/// multiplications.
@inline(__always)
func oddLanes(_ x: WideVector) -> WideVector {
  _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x)))
}

/// Shifts to the right and fills with zeros.
@inline(__always)
func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
  _mm256_srlv_epi64(x, WideVector(repeating: count))
}
