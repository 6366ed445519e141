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

  /// The smaller of each two bytes, as numbers with a sign.
  @inline(__always)
  func minimumOfBytes(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_min_epi8(asBits(a), asBits(b)))
  }

  /// Bytes as the upper halves of 16-bit numbers, above lower halves: the first eight.
  @inline(__always)
  func wordsOfFirstBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
    asLanes(_mm_unpacklo_epi8(asBits(lower), asBits(upper)))
  }

  /// The same of the last eight.
  @inline(__always)
  func wordsOfLastBytes(_ upper: SumVector, _ lower: SumVector) -> SumVector {
    asLanes(_mm_unpackhi_epi8(asBits(lower), asBits(upper)))
  }

  /// Makes signed bytes, saturating, of what the two functions above gave.
  @inline(__always)
  func bytesOfWords(first: SumVector, last: SumVector) -> SumVector {
    asLanes(_mm_packs_epi16(asBits(first), asBits(last)))
  }

  /// The products of signed 16-bit numbers, divided by 2¹⁵ and rounded, halves up.
  @inline(__always)
  func roundedProductsOfWords(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_mulhrs_epi16(asBits(a), asBits(b)))
  }

  /// Adds signed 16-bit numbers, saturating.
  @inline(__always)
  func addSaturatingWords(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_adds_epi16(asBits(a), asBits(b)))
  }

  /// All bits of 16-bit numbers that are greater, with their signs.
  @inline(__always)
  func greaterWords(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_cmpgt_epi16(asBits(a), asBits(b)))
  }

  /// Bytes of `a` where all bits of `choice` are set, else of `b`.
  @inline(__always)
  func selectBytes(_ choice: SumVector, _ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_blendv_epi8(asBits(b), asBits(a), asBits(choice)))
  }

  /// Divides signed 16-bit numbers by a power of two, rounding down.
  @inline(__always)
  func shiftWordsRight(_ x: SumVector, by places: Int32) -> SumVector {
    asLanes(_mm_sra_epi16(asBits(x), _mm_cvtsi32_si128(places)))
  }

  /// Lanes of `a` where the sign bit of `choice` is set, else of `b`.
  @inline(__always)
  func select(_ choice: SumVector, _ a: FloatVector, _ b: FloatVector) -> FloatVector {
    _mm_blendv_ps(b, a, unsafeBitCast(choice, to: FloatVector.self))
  }
#endif
