import OcellusEngine
import Testing

@Suite struct FixedPointMultiplierTests {
  @Test func halfIsAFractionOfTwoToTheThirty() throws {
    #expect(FixedPointMultiplier(0.5) == .init(fraction: 1 << 30, exponent: 0))
    #expect(FixedPointMultiplier(1) == .init(fraction: 1 << 30, exponent: 1))
    #expect(FixedPointMultiplier(0) == .init(fraction: 0, exponent: 0))
  }

  @Test func fractionThatRoundsUpToOneMovesTheExponent() {
    // The largest double below 1: its 31-bit fraction rounds to 2³¹, which does not fit.
    #expect(FixedPointMultiplier(1.0.nextDown) == .init(fraction: 1 << 30, exponent: 1))
  }

  @Test func tinyNumbersAreZero() {
    #expect(FixedPointMultiplier(0x1p-33)?.fraction == 0)
    #expect(FixedPointMultiplier(0x1p-32) == .init(fraction: 1 << 30, exponent: -31))
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func numbersThatAreNoneAreZero(real: Double) {
    #expect(FixedPointMultiplier(real)?.fraction == 0)
  }

  @Test func hugeNumbersHaveNone() {
    #expect(FixedPointMultiplier(0x1p40) == nil)
  }

  @Test(arguments: [(3, 2), (-3, -2), (1, 1), (-1, -1), (2, 1), (5, 3), (-5, -3)])
  func halvingRoundsTiesAwayFromZero(value: Int32, half: Int32) {
    // 0.25 is 2³⁰ × 2⁻³¹ × 2⁻¹: the product is exact in the first rounding, ties in the second.
    let quarter = FixedPointMultiplier(fraction: 1 << 30, exponent: -1)
    #expect(quarter.scale(value * 2) == half)
  }

  @Test func roundsTwice() {
    // 5 × 0.25 is 1.25. The first rounding halves 5 to 2.5 and gives 3, the second 1.5 and
    // gives 2: one rounding would have given 1.
    #expect(FixedPointMultiplier(fraction: 1 << 30, exponent: -1).scale(Int32(5)) == 2)
  }

  @Test func saturatesInTheOneCaseThatOverflows() {
    #expect(saturatingRoundingDoublingHigh(Int32.min, Int32.min) == .max)
    #expect(saturatingRoundingDoublingHigh(Int16.min, Int16.min) == .max)
    #expect(saturatingRoundingDoublingHigh(Int32.min, Int32.max) == -Int32.max)
  }

  @Test func wideValuesTakeASixteenBitFraction() {
    // 0.1 is 0x6666_6666 × 2⁻³¹ × 2⁻³; the reduced fraction is 0x6666.
    let tenth = FixedPointMultiplier(0.1)
    #expect(tenth?.fraction == 0x6666_6666)
    #expect(tenth?.scale(Int64(1000)) == 100)
    #expect(tenth?.scale(Int64(-1000)) == -100)
  }
}
