#if arch(arm64)
  import _Builtin_intrinsics.arm.neon

  /// The state of a hash as Arm's SHA-2 instructions want it.
  struct HashRegisters {
    /// The first four words.
    private var abcd: SIMD4<UInt32>
    /// The last four words.
    private var efgh: SIMD4<UInt32>

    @inline(__always)
    init(_ state: SIMD8<UInt32>) {
      abcd = state.lowHalf
      efgh = state.highHalf
    }

    @inline(__always)
    var state: SIMD8<UInt32> { SIMD8(lowHalf: abcd, highHalf: efgh) }

    @inline(__always)
    mutating func add(_ other: Self) {
      abcd &+= other.abcd
      efgh &+= other.efgh
    }

    /// Runs four rounds with the sums of four words and their constants.
    @inline(__always)
    mutating func runFourRounds(_ sums: SIMD4<UInt32>) {
      let before = abcd
      abcd = vsha256hq_u32(before, efgh, sums)
      efgh = vsha256h2q_u32(efgh, before, sums)
    }
  }

  /// Returns the words 16 to 19 after words 0 to 15.
  @inline(__always)
  func scheduledWords(
    after a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>
  ) -> SIMD4<UInt32> {
    vsha256su1q_u32(vsha256su0q_u32(a, b), c, d)
  }
#endif
