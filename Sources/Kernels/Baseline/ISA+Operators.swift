#if arch(x86_64)
  import _Builtin_intrinsics.intel

  // What the standard library's operators do, in one instruction each: those take vectors apart into lanes and
  // leave it to the compiler to put them together again, which takes it long and does not always succeed.

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

  /// The 64-bit products of the even lanes.
  @inline(__always)
  func multiplyEvenLanes(_ x: WideVector, _ y: WideVector) -> WideVector { _mm_mul_epi32(x, y) }

  /// The odd lanes in the place of the even ones, for `multiplyEvenLanes`.
  ///
  /// A shuffle, since the compiler takes a shift in front of a product for a 64-bit operand, and multiplies three times.
  @inline(__always)
  func oddLanes(_ x: WideVector) -> WideVector {
    _mm_castps_si128(_mm_movehdup_ps(_mm_castsi128_ps(x)))
  }

  /// Shifts zeros in from the left.
  @inline(__always)
  func shiftRightUnsigned(_ x: WideVector, _ count: Int64) -> WideVector {
    _mm_srli_epi64(x, Int32(truncatingIfNeeded: count))
  }
#endif
