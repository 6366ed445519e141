import OcellusEngine
import Testing

@Suite struct FixedPointTests {
  private static let one = Double(sign: .plus, exponent: 31, significand: 1)

  /// A number with 5 integer bits, which leaves 26 fractional bits.
  private func number(_ real: Double) -> FixedPoint<Int32> {
    FixedPoint(raw: Int32(real * 0x1p26), integerBits: 5)
  }

  // The exact values, to six digits.
  @Test(arguments: [(-0.1, 0.904837), (-1.0, 0.367879), (-2.5, 0.082085), (-10, 0.000045)])
  func exponentials(argument: Double, exponential: Double) {
    let result = Double(number(argument).exponentialOfNegative.raw) / Self.one
    #expect(abs(result - exponential) < 1e-6)
  }

  @Test func exponentialOfZeroIsTheLargestNumberBelowOne() {
    #expect(number(0).exponentialOfNegative.raw == .max)
  }

  @Test(arguments: [(0.0, 0.5), (1.0, 0.731059), (-1.0, 0.268941), (-8, 0.000335)])
  func logistic(argument: Double, sigmoid: Double) {
    #expect(abs(Double(number(argument).logistic.raw) / Self.one - sigmoid) < 1e-6)
  }

  @Test(arguments: [(0.0, 0.0), (0.5, 0.462117), (-0.5, -0.462117), (3, 0.995055)])
  func tanh(argument: Double, result: Double) {
    #expect(abs(Double(number(argument).tanh.raw) / Self.one - result) < 1e-6)
  }

  @Test(arguments: [(1.0, 0.0), (2.0, 0.693147), (100, 4.605170)])
  func logarithm(argument: Double, logarithm: Double) {
    let number = FixedPoint(raw: Int32(argument * 0x1p19), integerBits: 12)
    #expect(abs(Double(number.naturalLogarithm(integerBits: 5).raw) * 0x1p-26 - logarithm) < 1e-5)
  }

  @Test(arguments: [(2, 0.707107), (9, 0.333333), (65_025, 0.003922)] as [(Int32, Double)])
  func inverseSquareRoot(value: Int32, root: Double) {
    let multiplier = FixedPointMultiplier(inverseSquareRootOf: value)
    let result = Double(multiplier.fraction) / Self.one
    #expect(
      abs(result * Double(sign: .plus, exponent: multiplier.exponent, significand: 1) - root) < 2e-6
    )
  }

  @Test func shiftsSaturate() {
    #expect(Int32(1 << 20).scaled(byPowerOfTwo: 11) == .max)
    #expect(Int32(-1 << 21).scaled(byPowerOfTwo: 11) == .min)
    #expect(Int16(3).scaled(byPowerOfTwo: -1) == 2)
    #expect(Int16(-3).scaled(byPowerOfTwo: -1) == -2)
  }

  /// The first version of the quantized LSTM computes with 16-bit numbers.
  @Test func shortNumbers() {
    let half = FixedPoint<Int16>(raw: 1 << 11, integerBits: 3)  // 0.5
    #expect(abs(Double(half.logistic.raw) * 0x1p-15 - 0.622459) < 3e-4)
    #expect(abs(Double(half.tanh.raw) * 0x1p-15 - 0.462117) < 3e-4)
  }
}
