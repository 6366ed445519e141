/// The bounds of what is computed from a group of elements: sums, means and extremes.
enum GroupFunction {
  case sum, mean, maximum, minimum

  /// Returns the bounds for the group of these elements.
  func bounds(_ values: Intervals, _ places: [Int]) -> Interval {
    guard !places.isEmpty else { return self == .sum ? Interval(0) : .anything }
    var (low, high) = (values.lows[places[0]], values.highs[places[0]])
    switch self {
    case .maximum:
      for place in places {
        guard values[place].isFinite else { return .anything }
        low = max(low, values.lows[place])
        high = max(high, values.highs[place])
      }
      return Interval(low: low, high: high)
    case .minimum:
      for place in places {
        guard values[place].isFinite else { return .anything }
        low = min(low, values.lows[place])
        high = min(high, values.highs[place])
      }
      return Interval(low: low, high: high)
    case .sum, .mean: return sum(values, places)
    }
  }

  private func sum(_ values: Intervals, _ places: [Int]) -> Interval {
    var (low, high, most) = (0.0, 0.0, 0.0)
    for place in places {
      low += values.lows[place]
      high += values.highs[place]
      most += values[place].magnitude
    }
    // A mean divides, or multiplies by a rounded reciprocal, at the end or term by term.
    let count = places.count + (self == .mean ? 2 : 0)
    let margin =
      (Float32Rounding.gamma(count) + 2 * Double(count) * doubleUnit) * most
      + 2 * Double(count) * Float32Rounding.smallestNormal
    let divisor = self == .mean ? Double(places.count) : 1
    guard low.isFinite, high.isFinite, most < Double(Float.greatestFiniteMagnitude) / 2 else {
      return .anything
    }
    // A sum of one term is this term.
    if places.count == 1, self == .sum { return Interval(low: low, high: high) }
    return Interval(low: (low - margin) / divisor, high: (high + margin) / divisor)
      .widened(by: self == .mean ? Float32Rounding.smallestNormal : 0)
  }

  // MARK: Windows

  /// Returns the bounds of a pool.
  func pool(
    _ input: Intervals, _ options: OperatorOptions, output: [Int], clamp: ClosedRange<Double>
  ) -> Intervals? {
    let strides = (options.integer("stride_h"), options.integer("stride_w"))
    let sizes = (options.integer("filter_height"), options.integer("filter_width"))
    guard input.shape.count == 4, output.count == 4, input.shape[0] == output[0],
      input.shape[3] == output[3],
      [strides.0, strides.1, sizes.0, sizes.1].allSatisfy((1...largestWindow).contains)
    else { return nil }
    let isSame = options.integer("padding") == 0
    let rows = WindowAxis(
      input: input.shape[1], output: output[1], size: sizes.0, step: strides.0, isSame: isSame)
    let columns = WindowAxis(
      input: input.shape[2], output: output[2], size: sizes.1, step: strides.1, isSame: isSame)
    var result = Intervals(shape: output)
    for image in 0..<output[0] {
      for y in 0..<output[1] {
        let sourceRows = (0..<sizes.0).compactMap { rows.source(of: y, $0) }
        for x in 0..<output[2] {
          let pixels = (0..<sizes.1).compactMap { columns.source(of: x, $0) }.flatMap { column in
            sourceRows.map { ((image * input.shape[1] + $0) * input.shape[2] + column) }
          }
          let start = ((image * output[1] + y) * output[2] + x) * output[3]
          for channel in 0..<output[3] {
            result[start + channel] = bounds(input, pixels.map { $0 * output[3] + channel })
              .clamped(to: clamp)
          }
        }
      }
    }
    return result
  }

  // MARK: Axes

  /// Returns the bounds of a reduction over some axes.
  func reduction(_ input: Intervals, axes: [Int], output: [Int]) -> Intervals? {
    let rank = input.shape.count
    let reduced = Set(axes.map { $0 < 0 ? $0 + rank : $0 })
    guard reduced.allSatisfy(input.shape.indices.contains) else { return nil }
    let kept = input.shape.indices.filter { !reduced.contains($0) }
    guard kept.reduce(1, { $0 * input.shape[$1] }) == output.reduce(1, *) else { return nil }
    var groups = Array(repeating: [Int](), count: output.reduce(1, *))
    for index in 0..<input.count {
      var (rest, group, step) = (index, 0, 1)
      for axis in input.shape.indices.reversed() {
        if !reduced.contains(axis) {
          group += rest % input.shape[axis] * step
          step *= input.shape[axis]
        }
        rest /= input.shape[axis]
      }
      groups[group].append(index)
    }
    var result = Intervals(shape: output)
    for (index, group) in groups.enumerated() { result[index] = bounds(input, group) }
    return result
  }
}
