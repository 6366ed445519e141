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
    // 0.25 is 2³⁰ × 2⁻³¹ × 2⁻¹: the product is exact in the first rounding and a tie in the second.
    let quarter = FixedPointMultiplier(fraction: 1 << 30, exponent: -1)
    #expect(quarter.scale(value * 2) == half)
  }

  @Test func roundsTwice() {
    // 5 × 0.25 is 1.25. The first rounding halves 5 to 2.5 and gives 3, the second halves 3 to 1.5
    // and gives 2; a single rounding would have given 1.
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

  /// A scale with one result for all sums within `reach` of the bias is replaced by an ordinary
  /// scale.
  @Test(arguments: [
    (exponent: -27, bias: 1 << 30, reach: 0), (exponent: -25, bias: -(1 << 30) - 5, reach: 0),
    (exponent: -31, bias: 1 << 30, reach: 291_465), (exponent: -24, bias: 1 << 30, reach: 1 << 18),
    (exponent: -30, bias: -12_345, reach: 1 << 24), (exponent: 0, bias: 100, reach: 0),
  ])
  func constantResultsHaveOrdinaryScales(exponent: Int, bias: Int, reach: Int) throws {
    let scale = FixedPointMultiplier(fraction: 0x5A5A_5A5A, exponent: exponent)
    let (ordinary, newBias) = try #require(scale.ordinary(bias: Int32(bias), reach: Int64(reach)))
    #expect(ordinary.suitsFastRequantization(bias: newBias))
    for distance in [-reach, -reach / 2, -1, 0, 1, reach / 3, reach] where abs(distance) <= reach {
      #expect(
        ordinary.scale(newBias + Int32(distance)) == scale.scale(Int32(bias + distance)),
        "\(distance) from the bias")
    }
  }

  @Test func otherResultsKeepTheirScales() {
    let scale = FixedPointMultiplier(fraction: 1 << 30, exponent: -22)
    #expect(!scale.suitsFastRequantization(bias: 0))
    #expect(scale.ordinary(bias: 0, reach: 1 << 24) == nil)
    // Sums that would leave 32 bits wrap around.
    #expect(scale.ordinary(bias: .max, reach: 1) == nil)
    // The scale is too large for the sums that ordinary scales take.
    #expect(
      FixedPointMultiplier(fraction: 1 << 30, exponent: 0).ordinary(bias: 1 << 20, reach: 0) == nil)
  }
}
