#if arch(x86_64)
  import _Builtin_intrinsics.intel

  // Vector operators of one instruction each. Those of the standard library work lane by lane,
  // which the compiler takes long to vectorize and does not always succeed in.

  @inline(__always)
  func + (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_add_ps(a, b) }

  @inline(__always)
  func - (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_sub_ps(a, b) }

  @inline(__always)
  func * (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_mul_ps(a, b) }

  @inline(__always)
  func / (_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_div_ps(a, b) }

  @inline(__always)
  func + (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm_add_pd(a, b) }

  @inline(__always)
  func - (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm_sub_pd(a, b) }

  @inline(__always)
  func * (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm_mul_pd(a, b) }

  @inline(__always)
  func / (_ a: DoubleVector, _ b: DoubleVector) -> DoubleVector { _mm_div_pd(a, b) }

  @inline(__always)
  func & (_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_and_si128(asBits(a), asBits(b)))
  }

  @inline(__always)
  func | (_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_or_si128(asBits(a), asBits(b)))
  }

  @inline(__always)
  func ^ (_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_xor_si128(asBits(a), asBits(b)))
  }

  @inline(__always)
  prefix func ~ (_ a: SumVector) -> SumVector { a ^ SumVector(repeating: -1) }

  @inline(__always)
  func & (_ a: WideVector, _ b: WideVector) -> WideVector { _mm_and_si128(a, b) }

  @inline(__always)
  func | (_ a: WideVector, _ b: WideVector) -> WideVector { _mm_or_si128(a, b) }

  @inline(__always)
  func ^ (_ a: WideVector, _ b: WideVector) -> WideVector { _mm_xor_si128(a, b) }

  /// Multiplies the even 32-bit lanes to 64-bit products.
  @inline(__always)
  func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector { _mm_mul_epi32(x, y) }

  /// Moves the odd lanes to even positions, for `multiplyEvenLanes`.
  ///
  /// This is a shuffle, because after a shift the compiler would see 64-bit operands and emit three
  /// multiplications.
  @inline(__always)
  func oddLanes(_ x: WideVector) -> WideVector {
    _mm_castps_si128(_mm_movehdup_ps(_mm_castsi128_ps(x)))
  }

  /// Shifts to the right and fills with zeros.
  @inline(__always)
  func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
    _mm_srli_epi64(x, Int32(truncatingIfNeeded: count))
  }
#endif
