import OcellusEngine
import Testing

@Suite struct PhiloxSequenceTests {
  @Test func skippingIsLikeDrawing() {
    var drawn = PhiloxSequence(seed: 5, secondSeed: 6)
    var skipped = drawn
    for _ in 0..<3 { _ = drawn.next() }
    skipped.skip(3)
    #expect(drawn.next() == skipped.next())
  }

  @Test func theCounterCarriesIntoTheSecondSeed() {
    var sequence = PhiloxSequence(seed: 1, secondSeed: 0xFFFF_FFFF)
    sequence.skip(.max)
    sequence.skip(1)
    var next = PhiloxSequence(seed: 1, secondSeed: 0x1_0000_0000)
    #expect(sequence.next() == next.next())
  }

  @Test func bitsBecomeNumbersBelowOne() {
    #expect(Float(randomBits: 0) == 0)
    #expect(Float(randomBits: 0xFFFF_FFFF) == 1 - 0x1p-23)
    #expect(Double(randomBits: 0, 1) == 0x1p-52)
    #expect(Double(randomBits: 0x8_0000, 0) == 0.5)
  }
}
