import OcellusEngine

/// An interval of real numbers for each element of a tensor.
///
/// Ends are computed in float64, whose own rounding the bounds allow for. An element that may be
/// anything, an infinity or a NaN included, has infinite ends.
struct Intervals {
  var shape: [Int]
  var lows: [Double]
  var highs: [Double]

  var count: Int { lows.count }

  /// Makes intervals that hold one number each.
  init(shape: [Int], exact numbers: [Double]) {
    self.shape = shape
    (lows, highs) = (numbers, numbers)
  }

  /// Makes intervals that hold zero, to be replaced one by one.
  init(shape: [Int]) {
    self.init(shape: shape, exact: Array(repeating: 0, count: shape.reduce(1, *)))
  }

  subscript(index: Int) -> Interval {
    get { Interval(low: lows[index], high: highs[index]) }
    set {
      let checked = newValue.orAnything
      (lows[index], highs[index]) = (checked.low, checked.high)
    }
  }
}

/// The real numbers between two ends, which belong to it.
struct Interval: Equatable {
  var low: Double
  var high: Double

  static let anything = Interval(low: -.infinity, high: .infinity)

  init(low: Double, high: Double) { (self.low, self.high) = (low, high) }

  init(_ number: Double) { (low, high) = (number, number) }

  /// The interval around numbers of which none is a NaN.
  init(around numbers: [Double]) {
    low = numbers.min() ?? -.infinity
    high = numbers.max() ?? .infinity
  }

  var magnitude: Double { max(abs(low), abs(high)) }
  var isFinite: Bool { low.isFinite && high.isFinite }

  /// The interval, or anything if there is no such float32.
  var orAnything: Interval {
    low <= high && magnitude <= Double(Float.greatestFiniteMagnitude) ? self : .anything
  }

  /// Whether a number is one of these.
  func contains(_ number: Double) -> Bool { low <= number && number <= high }

  /// Returns the interval with a margin on both sides.
  func widened(by margin: Double) -> Interval { Interval(low: low - margin, high: high + margin) }

  /// Returns the interval after roundings to float32, each of which is off by less than a unit.
  func rounded(units: Double = 1) -> Interval {
    Interval(
      low: low - units * Float32Rounding.unit(at: low),
      high: high + units * Float32Rounding.unit(at: high))
  }

  /// Returns the part inside of a range; what is outside moves to the nearest end.
  func clamped(to range: ClosedRange<Double>) -> Interval {
    guard isFinite else { return self }
    return Interval(low: low.clamped(to: range), high: high.clamped(to: range))
  }
}
