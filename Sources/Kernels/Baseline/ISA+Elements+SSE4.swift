#if arch(x86_64)
  import _Builtin_intrinsics.intel

  // Elements that are narrower than a lane, and choices between floats.

  /// Reads a signed byte a lane.
  @inline(__always)
  func loadSignedBytes(_ address: UnsafeRawPointer) -> SumVector {
    asLanes(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(loadInt32(address))))
  }

  @inline(__always)
  func squareRoot(_ x: FloatVector) -> FloatVector { _mm_sqrt_ps(x) }

  /// Whether a lane is negative.
  @inline(__always)
  func hasNegativeLane(_ x: SumVector) -> Bool {
    _mm_movemask_ps(unsafeBitCast(x, to: FloatVector.self)) != 0
  }

  /// Looks every byte up in a table of 16; bytes from 128 on give 0.
  @inline(__always)
  func shuffled(_ table: SumVector, by bytes: SumVector) -> SumVector {
    asLanes(
      _mm_shuffle_epi8(
        asBits(table), asBits(bytes)))
  }

  /// Subtracts signed bytes, saturating.
  @inline(__always)
  func subtractSaturatingBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_subs_epi8(asBits(a), asBits(b)))
  }

  /// All bits of bytes that are greater as signed numbers.
  @inline(__always)
  func greaterBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_cmpgt_epi8(asBits(a), asBits(b)))
  }

  /// The smaller of each two bytes, as numbers with a sign.
  @inline(__always)
  func minimumOfBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_min_epi8(asBits(a), asBits(b)))
  }

  /// Lanes of `a` where the sign bit of `choice` is set, else of `b`.
  @inline(__always)
  func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    _mm_blendv_ps(b, a, unsafeBitCast(choice, to: FloatVector.self))
  }
#endif
