import _Builtin_intrinsics.intel

// Vector operators of one instruction each. Those of the standard library work lane by lane, which
// the compiler takes long to vectorize and does not always succeed in.

@inline(__always)
func + (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_add_ps(a, b) }

@inline(__always)
func - (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_sub_ps(a, b) }

@inline(__always)
func * (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_mul_ps(a, b) }

@inline(__always)
func / (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_div_ps(a, b) }

@inline(__always)
func + (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm512_add_pd(a, b) }

@inline(__always)
func - (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm512_sub_pd(a, b) }

@inline(__always)
func * (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm512_mul_pd(a, b) }

@inline(__always)
func / (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm512_div_pd(a, b) }

@inline(__always)
func & (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_and_si512(asBits(a), asBits(b)))
}

@inline(__always)
func | (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_or_si512(asBits(a), asBits(b)))
}

@inline(__always)
func ^ (_ a: SumVector, _ b: SumVector) -> SumVector {
  asLanes(_mm512_xor_si512(asBits(a), asBits(b)))
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
func & (_ a: WideVector, _ b: WideVector) -> WideVector { _mm512_and_si512(a, b) }

@inline(__always)
func | (_ a: WideVector, _ b: WideVector) -> WideVector { _mm512_or_si512(a, b) }

@inline(__always)
func ^ (_ a: WideVector, _ b: WideVector) -> WideVector { _mm512_xor_si512(a, b) }

@inline(__always)
func &<< (_ a: WideVector, _ b: WideVector) -> WideVector {
  _mm512_sllv_epi64(a, b & WideVector(repeating: 63))
}

@inline(__always)
func &>> (_ a: WideVector, _ b: WideVector) -> WideVector {
  _mm512_srav_epi64(a, b & WideVector(repeating: 63))
}

/// Multiplies the even 32-bit lanes to 64-bit products.
@inline(__always)
func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector { _mm512_mul_epi32(x, y) }

/// Moves the odd lanes to even positions, for `multiplyEvenLanes`.
@inline(__always)
func oddLanes(_ x: WideVector) -> WideVector {
  shiftRightUnsigned(x, 32)
}

/// Shifts to the right and fills with zeros.
@inline(__always)
func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
  _mm512_srlv_epi64(x, WideVector(repeating: count))
}
