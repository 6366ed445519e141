import OcellusEngine
import Testing

@Suite struct BFloat16Tests {
  @Test(
    arguments: [
      (1, 0x3F80),
      (-2.5, 0xC020),
      (Float(bitPattern: 0x3F80_8000), 0x3F80),  // a tie, to even below
      (Float(bitPattern: 0x3F81_8000), 0x3F82),  // a tie, to even above
      (Float(bitPattern: 0x3F80_8001), 0x3F81),
      (.greatestFiniteMagnitude, 0x7F80),
      (-.infinity, 0xFF80),
    ] as [(Float, UInt16)])
  func roundsToNearestEven(value: Float, bits: UInt16) {
    #expect(BFloat16(value).bitPattern == bits)
  }

  @Test func keepsNaN() {
    // Payload bits only in the half that is cut off must not turn into an infinity.
    #expect(Float(BFloat16(Float(bitPattern: 0x7F80_0001))).isNaN)
  }
}
