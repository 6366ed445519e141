import OcellusPlatform

/// The bounds of functions of two numbers.
enum BoundedBinary: String {
  case add = "ADD"
  case subtract = "SUB"
  case multiply = "MUL"
  case divide = "DIV"
  case squaredDifference = "SQUARED_DIFFERENCE"
  case maximum = "MAXIMUM"
  case minimum = "MINIMUM"
  case power = "POW"
  case leak = "PRELU"

  func bounds(_ a: Interval, _ b: Interval, functionUnits: Double) -> Interval {
    guard a.isFinite, b.isFinite else { return .anything }
    switch self {
    case .add: return Interval(low: a.low + b.low, high: a.high + b.high).rounded()
    case .subtract: return Interval(low: a.low - b.high, high: a.high - b.low).rounded()
    case .multiply: return Self.product(a, b).rounded()
    case .divide: return Self.quotient(a, b)
    case .squaredDifference:
      let difference = Interval(low: a.low - b.high, high: a.high - b.low).rounded()
      return difference.squared.rounded()
    case .maximum: return Interval(low: max(a.low, b.low), high: max(a.high, b.high))
    case .minimum: return Interval(low: min(a.low, b.low), high: min(a.high, b.high))
    case .power: return Self.power(a, b, functionUnits)
    case .leak: return Self.leak(a, b)
    }
  }

  private static func corners(
    _ a: Interval, _ b: Interval, _ function: (Double, Double) -> Double
  ) -> Interval {
    Interval(around: [
      function(a.low, b.low), function(a.low, b.high), function(a.high, b.low),
      function(a.high, b.high),
    ])
  }

  private static func product(_ a: Interval, _ b: Interval) -> Interval { corners(a, b, *) }

  /// A division may be a multiplication by a rounded reciprocal.
  private static func quotient(_ a: Interval, _ b: Interval) -> Interval {
    guard !b.contains(0), min(abs(b.low), abs(b.high)) >= Float32Rounding.smallestNormal,
      // A reciprocal below the normal numbers may be flushed to zero.
      b.magnitude <= 0x1p126
    else { return .anything }
    return corners(a, b, /).rounded(units: 3)
  }

  /// Powers are computed from logarithms, so that large exponents enlarge their errors.
  private static func power(_ a: Interval, _ b: Interval, _ functionUnits: Double) -> Interval {
    guard a.low >= Float32Rounding.smallestNormal else { return .anything }
    let result = corners(a, b) { pow($0, $1) }
    let logarithm = max(abs(log(a.low)), abs(log(a.high)))
    return result.rounded(units: 2 * functionUnits + 4 * b.magnitude * logarithm)
  }

  /// PRELU: the second operand is the slope of negative numbers.
  private static func leak(_ a: Interval, _ slope: Interval) -> Interval {
    let positive = Interval(low: max(a.low, 0), high: max(a.high, 0))
    guard a.low < 0 else { return positive }
    let negative = product(Interval(low: a.low, high: min(a.high, 0)), slope).rounded()
    guard a.high >= 0 else { return negative }
    return Interval(low: min(negative.low, 0), high: max(negative.high, positive.high))
  }

  func bounds(
    _ a: Intervals, _ b: Intervals, output: [Int], clamp: ClosedRange<Double>, functionUnits: Double
  ) -> Intervals? {
    guard let left = Broadcasting(a.shape, to: output),
      let right = Broadcasting(b.shape, to: output)
    else { return nil }
    var result = Intervals(shape: output)
    for index in 0..<result.count {
      result[index] = bounds(
        a[left.source(of: index)], b[right.source(of: index)], functionUnits: functionUnits
      ).orAnything.clamped(to: clamp)
    }
    return result
  }
}

extension Interval {
  /// The squares of the numbers.
  var squared: Interval {
    let ends = [low * low, high * high]
    return Interval(low: contains(0) ? 0 : min(ends[0], ends[1]), high: max(ends[0], ends[1]))
  }
}
