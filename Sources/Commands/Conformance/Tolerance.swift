/// The permitted difference between a result and the expected one.
enum Tolerance: Equatable, Sendable {
  /// Equal bytes; floating-point numbers are compared by value, so -0 equals 0 and NaN equals NaN.
  case exact
  /// |got - expected| <= absolute + relative * |expected| for floating-point numbers, else exact.
  case close(absolute: Double, relative: Double)
  /// Random numbers, of which only the distribution is known.
  case statistical(Statistics)

  /// The expected statistics of random numbers.
  struct Statistics: Equatable, Sendable {
    /// A moment of the distribution and its permitted deviation.
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
