/// How precisely an engine must compute to be called correct.
package struct BoundsArithmetic: Sendable, Equatable {
  /// The format that factors are rounded to before they are multiplied; sums are of float32.
  package enum Factors: String, Sendable, CaseIterable {
    case float32, bfloat16, float16
  }

  package var factors = Factors.float32
  /// The units in the last place by which approximations of functions such as tanh may be off.
  package var functionUnits = 8.0

  package init() {}
}

extension BoundsArithmetic.Factors {
  /// Returns the numbers that the factors inside of an interval may be rounded to.
  func rounded(_ interval: Interval) -> Interval {
    switch self {
    case .float32: interval
    case .bfloat16:
      Interval(
        low: -Self.bfloat16(above: -interval.low), high: Self.bfloat16(above: interval.high))
    case .float16:
      Interval(low: -Self.half(above: -interval.low), high: Self.half(above: interval.high))
    }
  }

  /// Returns a limit of what a number may be rounded to in bfloat16, by cutting off bits, too; what is
  /// below 2⁻⁵⁶ may become zero.
  private static func bfloat16(above number: Double) -> Double {
    number + (abs(number) < 0x1p-56 ? 1 : 0x1p-8) * abs(number)
  }

  /// Returns a limit of what a number may be rounded to in float16: infinity if it may overflow.
  ///
  /// What is below the smallest normal number may become zero or the next subnormal number.
  private static func half(above number: Double) -> Double {
    guard abs(number) < 65_504 else { return .infinity }
    guard abs(number) >= 0x1p-14 else { return number + abs(number) }
    return number + 0x1p-11 * abs(number)
  }
}
