/// How near a result must come to the expected one.
enum Tolerance: Equatable, Sendable {
  /// The same bytes; floating-point numbers by value, so that -0 is 0 and NaN is NaN.
  case exact
  /// |got - expected| <= absolute + relative * |expected|, for floating-point numbers; others exactly.
  case close(absolute: Double, relative: Double)
  /// Random numbers: only their distribution is known.
  case statistical(Statistics)

  /// What is known of random numbers.
  struct Statistics: Equatable, Sendable {
    /// A figure of the distribution and how far it may be off.
    struct Moment: Equatable, Sendable {
      let expected: Double
      let within: Double

      func accepts(_ value: Double) -> Bool { abs(value - expected) <= within }
    }

    let range: ClosedRange<Double>
    let mean: Moment?
    let standardDeviation: Moment?
  }
}
