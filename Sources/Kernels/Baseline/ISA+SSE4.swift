#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// The bits of a vector as instructions for integers take them.
  @inline(__always)
  func asBits<Vector>(_ vector: Vector) -> __m128i {
    unsafeBitCast(vector, to: __m128i.self)
  }

  /// Signed bytes as the 16-bit numbers that `dot` takes.
  @inline(__always)
  func loadWidened(_ address: UnsafeRawPointer) -> SumVector {
    asLanes(_mm_cvtepi8_epi16(_mm_cvtsi64_si128(loadInt64(address))))
  }

  /// Stores 16-bit numbers that are bytes as such.
  @inline(__always)
  func storeNarrowed(_ x: SumVector, to output: UnsafeMutableRawPointer) {
    store(_mm_cvtsi128_si64(_mm_packs_epi16(asBits(x), asBits(x))), to: output)
  }

  /// Adds, lane by lane, the products of two 16-bit numbers with two others.
  @inline(__always)
  func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
    sums
      &+ asLanes(
        _mm_madd_epi16(
          asBits(activations), asBits(weights)))
  }

  /// Puts bytes of the first two lines one below the other: lane by lane those of one channel, as
  /// `dot` takes activations.
  @inline(__always)
  func interleaved(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
    _: UnsafeRawPointer, isSigned: Bool
  ) -> SumVector {
    let both = _mm_unpacklo_epi8(
      _mm_cvtsi32_si128(loadInt32(first)), _mm_cvtsi32_si128(loadInt32(second)))
    let wide = isSigned ? _mm_cvtepi8_epi16(both) : _mm_cvtepu8_epi16(both)
    return asLanes(wide)
  }

  /// Stores the lowest byte of every lane.
  @inline(__always)
  func storeBytes(_ sums: SumVector, to output: UnsafeMutableRawPointer) {
    let lowest = _mm_shuffle_epi8(
      asBits(sums), _mm_set1_epi32(0x0C08_0400))
    store(_mm_cvtsi128_si32(lowest), to: output)
  }

  // `maxps` and `minps` return the second operand where either is NaN.

  /// `a > b ? a : b` in every lane.
  @inline(__always)
  func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_max_ps(a, b) }

  /// `a < b ? a : b` in every lane.
  @inline(__always)
  func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_min_ps(a, b) }

  @inline(__always)
  func maximum(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_max_epi32(asBits(a), asBits(b)))
  }

  @inline(__always)
  func minimum(_ a: SumVector, _ b: SumVector) -> SumVector {
    asLanes(_mm_min_epi32(asBits(a), asBits(b)))
  }

  /// One byte a lane, as a number.
  @inline(__always)
  func bytesToLanes(_ bytes: UnsafeRawPointer, isSigned: Bool) -> SumVector {
    let packed = _mm_cvtsi32_si128(loadInt32(bytes))
    return asLanes(isSigned ? _mm_cvtepi8_epi32(packed) : _mm_cvtepu8_epi32(packed))
  }

  /// The nearest floats.
  @inline(__always)
  func floats(_ x: SumVector) -> FloatVector {
    _mm_cvtepi32_ps(asBits(x))
  }

  /// Floats without their fractions; `Int32.min` where that does not fit.
  @inline(__always)
  func truncated(_ x: FloatVector) -> SumVector {
    asLanes(_mm_cvttps_epi32(x))
  }

  /// The larger of each two bytes, as numbers without or with a sign.
  @inline(__always)
  func maximumOfBytes(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
    let x = asBits(a), y = asBits(b)
    return asLanes(isSigned ? _mm_max_epi8(x, y) : _mm_max_epu8(x, y))
  }
#endif
