import OcellusPlatform

/// The bounds of functions of the rows along the last axis.
enum RowFunction {
  case softmax(beta: Double)
  case logSoftmax
  case l2Normalization

  func bounds(_ input: Intervals, functionUnits: Double) -> Intervals? {
    guard let width = input.shape.last, width > 0 else { return nil }
    var result = input
    for start in stride(from: 0, to: input.count, by: width) {
      let row = (start..<start + width).map { input[$0] }
      let bounds =
        row.allSatisfy(\.isFinite)
        ? self.bounds(row, functionUnits) : row.map { _ in .anything }
      for (index, interval) in bounds.enumerated() { result[start + index] = interval }
    }
    return result
  }

  private func bounds(_ row: [Interval], _ functionUnits: Double) -> [Interval] {
    switch self {
    case .softmax(let beta): Self.softmax(row, beta, functionUnits).0
    case .logSoftmax: Self.logSoftmax(row, functionUnits)
    case .l2Normalization: Self.normalized(row)
    }
  }

  /// Returns the bounds of each share, and the largest relative error of a share.
  ///
  /// A share is 1 / (1 + Σ exp(β(xⱼ − xᵢ))) over the others: largest if xᵢ is, and the others are
  /// smallest. Engines subtract the largest element, multiply by β, and approximate exp: an error of
  /// the argument is a relative error of the result.
  private static func softmax(
    _ row: [Interval], _ beta: Double, _ functionUnits: Double
  ) -> ([Interval], error: Double) {
    let scaled = row.map { $0.scaled(by: beta) }
    let top = scaled.map(\.high).max() ?? 0
    let bottom = scaled.map(\.low).min() ?? 0
    let unit = 2 * Float32Rounding.halfUnit
    let term = expm1(2 * unit * (abs(top - bottom) + 1)) + functionUnits * unit
    let first =
      2 * term + Float32Rounding.gamma(row.count + 3) + 8 * Double(row.count) * doubleUnit
    // Products of errors add less than this to their sum.
    let error = first < 0.1 ? first / (1 - 2 * first) : 1
    guard error < 0.5 else { return (row.map { _ in Interval(low: 0, high: 1) }, error) }
    let (lows, highs) = (scaled.map { exp($0.low - top) }, scaled.map { exp($0.high - top) })
    let (sumOfLows, sumOfHighs) = (lows.reduce(0, +), highs.reduce(0, +))
    let slack = Double(row.count) * doubleUnit * sumOfHighs
    // Where exp becomes subnormal, engines clamp its argument.
    let end = 2 * Float32Rounding.smallestNormal
    let shares = row.indices.map { index in
      let least = lows[index] / (lows[index] + max(sumOfHighs - highs[index], 0) + slack)
      let most = highs[index] / max(highs[index] + sumOfLows - lows[index] - slack, highs[index])
      return Interval(
        low: least * (1 - error) - end, high: min(most, 1) * (1 + error) + end)
    }
    return (shares, error)
  }

  /// xᵢ − max − log Σ exp(xⱼ − max).
  private static func logSoftmax(_ row: [Interval], _ functionUnits: Double) -> [Interval] {
    let (_, error) = softmax(row, 1, functionUnits)
    let top = row.map(\.high).max() ?? 0
    let bottom = row.map(\.low).min() ?? 0
    func logarithm(_ numbers: [Double]) -> Double {
      log(numbers.reduce(0) { $0 + exp($1 - top) }) + top
    }
    let sums = Interval(low: logarithm(row.map(\.low)), high: logarithm(row.map(\.high)))
    let size = abs(top - bottom) + log(Double(row.count)) + 1
    let margin = error + (functionUnits + 4) * 2 * Float32Rounding.halfUnit * size
    return row.map {
      Interval(low: $0.low - sums.high, high: $0.high - sums.low).widened(by: margin)
    }
  }

  /// x / √Σx², whose root is at least 10⁻⁶ in the official kernels.
  private static func normalized(_ row: [Interval]) -> [Interval] {
    let squares = row.map(\.squared)
    let norms = Interval(
      low: max(squares.reduce(0) { $0 + $1.low }.squareRoot(), 1e-6),
      high: max(squares.reduce(0) { $0 + $1.high }.squareRoot(), 1e-6))
    let quotients = row.map { element in
      Interval(around: [
        element.low / norms.low, element.low / norms.high, element.high / norms.low,
        element.high / norms.high,
      ])
    }
    // Half of the sum's relative error is left in its root; then come a root, and a division or two.
    return quotients.map { $0.rounded(units: Double(row.count) / 2 + 6) }
  }
}

extension Interval {
  /// Returns the interval of multiples.
  func scaled(by factor: Double) -> Interval { Interval(around: [low * factor, high * factor]) }
}
