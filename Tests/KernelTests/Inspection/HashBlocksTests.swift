import OcellusPlatform
import OcellusTestSupport
import Testing

/// The instructions for SHA-256 beside guard pages, and against the plain computation, which other
/// tests compare with a standard and a tool.
@Suite(.enabled(if: SHA256.hasInstructions, "this processor has no instructions for SHA-256"))
struct HashBlocksTests {
  @Test(arguments: GuardPlacement.allCases)
  func hashesEqualPlainOnes(placement: GuardPlacement) {
    var generator = SeededGenerator(seed: 7)
    for length in Array(1...260) + [1023, 4096, 10_001] {
      let bytes = generator.bytes(length, isSigned: false)
      let memory = GuardPlacement.$current.withValue(placement) { GuardedMemory(bytes) }
      let guarded = UnsafeRawBufferPointer(start: memory.start, count: length)
      let digests = [true, false].map { usesInstructions in
        var hash = SHA256(usingInstructions: usesInstructions)
        hash.update(guarded)
        return hash.finalized()
      }
      #expect(digests[0] == digests[1], "\(length) bytes")
      #expect(memory.check() == nil)
    }
  }
}
