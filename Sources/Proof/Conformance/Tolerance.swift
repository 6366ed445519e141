import OcellusAudit
package import OcellusEngine

/// The permitted difference between a result and the expected one.
package enum Tolerance: Equatable, Sendable {
  /// Equal bytes; floating-point numbers are compared by value, so -0 equals 0 and NaN equals NaN.
  case exact
  /// |got - expected| <= absolute + relative * |expected| for floating-point numbers, else exact.
  case close(absolute: Double, relative: Double)
  /// Random numbers, of which only the distribution is known.
  case statistical(Statistics)

  /// The expected statistics of random numbers.
  package struct Statistics: Equatable, Sendable {
    /// A moment of the distribution and its permitted deviation.
    package struct Moment: Equatable, Sendable {
      let expected: Double
      let within: Double

      package init(expected: Double, within: Double) {
        self.expected = expected
        self.within = within
      }

      func accepts(_ value: Double) -> Bool { abs(value - expected) <= within }
    }

    let range: ClosedRange<Double>
    let mean: Moment?
    let standardDeviation: Moment?

    package init(range: ClosedRange<Double>, mean: Moment?, standardDeviation: Moment?) {
      self.range = range
      self.mean = mean
      self.standardDeviation = standardDeviation
    }
  }
}

extension Tolerance {
  /// Returns the tolerance between two right implementations of an operator.
  ///
  /// Integers must be equal. Floats may differ by the order of additions, relative to the largest
  /// of `numbers`, and by one rounding.
  package static func betweenImplementations(of type: ElementType, _ numbers: [UInt8]) -> Tolerance
  {
    let precision: [ElementType: Double] = [
      .float32: 1e-5, .float64: 1e-10, .float16: 2e-3, .bfloat16: 2e-2, .complex64: 1e-5,
      .complex128: 1e-10,
    ]
    guard let precision = precision[type] else { return .exact }
    let parts: [ElementType: NumberFormat] = [.complex64: .float32, .complex128: .float64]
    guard let format = parts[type] ?? NumberFormat(rawValue: type.name) else { return .exact }
    let largest = numbers.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: format.size).reduce(0.0) { largest, offset in
        let magnitude = abs(format.number(in: bytes, at: offset))
        return magnitude.isFinite ? max(largest, magnitude) : largest
      }
    }
    return .close(absolute: precision * largest, relative: 10 * precision)
  }
}
