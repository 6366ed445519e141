#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// Reinterprets a vector as the operand type of integer intrinsics.
  @inline(__always)
  func asBits<Vector>(_ vector: Vector) -> __m128i {
    unsafeBitCast(vector, to: __m128i.self)
  }

  /// Loads signed bytes as 16-bit numbers, the operands of `dot`.
  @inline(__always)
  func loadWidened(_ address: UnsafeRawPointer) -> SumVector {
    asLanes(_mm_cvtepi8_epi16(_mm_cvtsi64_si128(loadInt64(address))))
  }

  /// Stores 16-bit numbers that fit bytes as bytes.
  @inline(__always)
  func storeNarrowed(_ x: SumVector, to output: UnsafeMutableRawPointer) {
    store(_mm_cvtsi128_si64(_mm_packs_epi16(asBits(x), asBits(x))), to: output)
  }

  /// Adds to each lane the dot product of two pairs of 16-bit numbers.
  @inline(__always)
  func dot(_ sums: SumVector, _ activations: SumVector, _ weights: SumVector) -> SumVector {
    sums
      &+ asLanes(
        _mm_madd_epi16(
          asBits(activations), asBits(weights)))
  }

  /// Interleaves bytes of the first two rows: each lane gets those of one channel.
  ///
  /// This is the layout that `dot` expects of activations.
  @inline(__always)
  func interleaved(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _: UnsafeRawPointer,
    _: UnsafeRawPointer, isSigned: Bool
  ) -> SumVector {
    let both = _mm_unpacklo_epi8(
      _mm_cvtsi32_si128(loadInt32(first)), _mm_cvtsi32_si128(loadInt32(second)))
    let words = isSigned ? _mm_cvtepi8_epi16(both) : _mm_cvtepu8_epi16(both)
    return asLanes(words)
  }

  /// Stores the lowest byte of every lane.
  @inline(__always)
  func storeBytes(_ sums: SumVector, to output: UnsafeMutableRawPointer) {
    let lowest = _mm_shuffle_epi8(
      asBits(sums), _mm_set1_epi32(0x0C08_0400))
    store(_mm_cvtsi128_si32(lowest), to: output)
  }

  // `maxps` and `minps` return the second operand if either is NaN.

  /// Returns `a > b ? a : b` in every lane.
  @inline(__always)
  func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm_max_ps(a, b) }

  /// Returns `a < b ? a : b` in every lane.
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

  /// Loads one byte per lane.
  @inline(__always)
  func bytesToLanes(_ bytes: UnsafeRawPointer, isSigned: Bool) -> SumVector {
    let packed = _mm_cvtsi32_si128(loadInt32(bytes))
    return asLanes(isSigned ? _mm_cvtepi8_epi32(packed) : _mm_cvtepu8_epi32(packed))
  }

  /// Converts integers to the nearest floats.
  @inline(__always)
  func floats(_ x: SumVector) -> FloatVector {
    _mm_cvtepi32_ps(asBits(x))
  }

  /// Truncates floats to integers; results out of range are `Int32.min`.
  @inline(__always)
  func truncated(_ x: FloatVector) -> SumVector {
    asLanes(_mm_cvttps_epi32(x))
  }

  /// Returns the maxima of signed or unsigned bytes.
  @inline(__always)
  func maximumOfBytes(_ a: SumVector, _ b: SumVector, isSigned: Bool) -> SumVector {
    let x = asBits(a), y = asBits(b)
    return asLanes(isSigned ? _mm_max_epi8(x, y) : _mm_max_epu8(x, y))
  }
#endif
