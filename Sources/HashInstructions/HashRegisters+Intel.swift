#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// The state of a hash as Intel's SHA extensions want it, the first word in the highest lane.
  struct HashRegisters {
    /// The words a, b, e and f of the standard.
    private var abef: SIMD4<UInt32>
    /// The words c, d, g and h.
    private var cdgh: SIMD4<UInt32>

    @inline(__always)
    init(_ state: SIMD8<UInt32>) {
      abef = SIMD4(state[5], state[4], state[1], state[0])
      cdgh = SIMD4(state[7], state[6], state[3], state[2])
    }

    @inline(__always)
    var state: SIMD8<UInt32> {
      SIMD8(abef[3], abef[2], cdgh[3], cdgh[2], abef[1], abef[0], cdgh[1], cdgh[0])
    }

    @inline(__always)
    mutating func add(_ other: Self) {
      abef &+= other.abef
      cdgh &+= other.cdgh
    }

    /// Runs four rounds with the sums of four words and their constants.
    ///
    /// An instruction runs two rounds. The words a, b, e and f before them are c, d, g and h after
    /// them, so the registers change places twice.
    @inline(__always)
    mutating func runFourRounds(_ sums: SIMD4<UInt32>) {
      cdgh = words(_mm_sha256rnds2_epu32(bits(cdgh), bits(abef), bits(sums)))
      let last = SIMD4(sums[2], sums[3], sums[0], sums[1])
      abef = words(_mm_sha256rnds2_epu32(bits(abef), bits(cdgh), bits(last)))
    }
  }

  /// Returns the words 16 to 19 after words 0 to 15.
  @inline(__always)
  func scheduledWords(
    after a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
  ) -> SIMD4<UInt32> {
    let sevenBefore = SIMD4(c[1], c[2], c[3], d[0])
    let sums = words(_mm_sha256msg1_epu32(bits(a), bits(b))) &+ sevenBefore
    return words(_mm_sha256msg2_epu32(bits(sums), bits(d)))
  }

  @inline(__always)
  private func bits(_ words: SIMD4<UInt32>) -> __m128i { unsafeBitCast(words, to: __m128i.self) }

  @inline(__always)
  private func words(_ bits: __m128i) -> SIMD4<UInt32> {
    unsafeBitCast(bits, to: SIMD4<UInt32>.self)
  }
#endif
