#if arch(x86_64) || arch(arm64)
  /// Adds blocks of 64 bytes to the state of a SHA-256 hash (FIPS 180-4, section 6.2.2).
  ///
  /// The processor must have the instructions; `constants` are those of the 64 rounds.
  package func hashBlocks(
    _ blocks: UnsafeRawPointer, count: Int, into state: inout SIMD8<UInt32>,
    _ constants: UnsafePointer<UInt32>
  ) {
    var registers = HashRegisters(state)
    for block in 0..<count {
      registers.add(blocks + 64 &* block, UnsafeRawPointer(constants))
    }
    state = registers.state
  }

  extension HashRegisters {
    @inline(__always)
    fileprivate mutating func add(_ block: UnsafeRawPointer, _ constants: UnsafeRawPointer) {
      let before = self
      var (a, b) = (words(in: block, at: 0), words(in: block, at: 16))
      var (c, d) = (words(in: block, at: 32), words(in: block, at: 48))
      runRounds(a, b, c, d, constants)
      for sixteenRounds in 1..<4 {
        a = scheduledWords(after: a, b, c, d)
        b = scheduledWords(after: b, c, d, a)
        c = scheduledWords(after: c, d, a, b)
        d = scheduledWords(after: d, a, b, c)
        runRounds(a, b, c, d, constants + 64 &* sixteenRounds)
      }
      add(before)
    }

    @inline(__always)
    private mutating func runRounds(
      _ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ c: SIMD4<UInt32>, _ d: SIMD4<UInt32>,
      _ constants: UnsafeRawPointer
    ) {
      runFourRounds(a &+ constants.loadUnaligned(as: SIMD4<UInt32>.self))
      runFourRounds(b &+ constants.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self))
      runFourRounds(c &+ constants.loadUnaligned(fromByteOffset: 32, as: SIMD4<UInt32>.self))
      runFourRounds(d &+ constants.loadUnaligned(fromByteOffset: 48, as: SIMD4<UInt32>.self))
    }
  }

  /// Returns four words of a message, which has the most significant byte of each first.
  @inline(__always)
  private func words(in block: UnsafeRawPointer, at offset: Int) -> SIMD4<UInt32> {
    let words = block.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
    return SIMD4(
      words[0].byteSwapped, words[1].byteSwapped, words[2].byteSwapped, words[3].byteSwapped)
  }
#endif
