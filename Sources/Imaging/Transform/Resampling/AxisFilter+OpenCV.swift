extension AxisFilter {
  /// OpenCV's rule for the two input pixels that an output pixel lies between.
  enum LinearRule {
    /// INTER_LINEAR: by the distance of pixel centres.
    case centers
    /// INTER_AREA when enlarging: the input pixel that covers the output pixel, mixed with the next
    /// one where it covers the output pixel only in part.
    case coverage
  }

  /// Linear interpolation of two pixels, with fixed-point weights in units of 2⁻¹¹.
  ///
  /// Along a row (`clamped`), positions are clamped to the first and the last pixel. Across rows,
  /// OpenCV clamps the row numbers but keeps both weights, so the first or the last row is used
  /// twice. The two ways differ in rounding.
  static func openCVLinear(
    _ rule: LinearRule, from input: Int, to output: Int, clamped: Bool
  ) -> AxisFilter {
    let taps = clamped && input == 1 ? 1 : 2
    // Each output has space for two weights of two bytes, even if only one is used.
    let filter = AxisFilter(count: output, taps: taps, weightBytes: taps == 1 ? 4 : 2)
    for position in 0..<output {
      let pair = linearPair(position, rule, from: input, to: output)
      let (first, fraction) = clamped ? Self.clamped(pair, input) : pair
      filter.firsts[position] = Int32(first)
      filter.setWeight(fixed(1 - fraction), output: position, tap: 0)
      filter.setWeight(fixed(fraction), output: position, tap: 1)
    }
    return filter
  }

  /// Returns the same linear interpolation, with weights in full precision.
  static func openCVLinearWindows(
    _ rule: LinearRule, from input: Int, to output: Int
  ) -> [(first: Int, weights: [Double])] {
    (0..<output).map { position in
      let pair = clamped(linearPair(position, rule, from: input, to: output), input)
      let weights = [1 - Double(pair.fraction), Double(pair.fraction)]
      return (pair.first, Array(weights.prefix(input)))
    }
  }

  /// Clamps a position outside the pixel centres to the first or the last pixel.
  ///
  /// The last pixel is expressed as the second of a pair with weight 1.
  private static func clamped(
    _ pair: (first: Int, fraction: Float), _ input: Int
  ) -> (first: Int, fraction: Float) {
    if pair.first < 0 || input == 1 { return (0, 0) }
    return pair.first >= input - 1 ? (input - 2, 1) : pair
  }

  private static func fixed(_ weight: Float) -> Int16 {
    Int16((weight * 2048).rounded(.toNearestOrEven))
  }

  private static func linearPair(
    _ position: Int, _ rule: LinearRule, from input: Int, to output: Int
  ) -> (first: Int, fraction: Float) {
    let inverseScale = Double(output) / Double(input)
    let scale = 1 / inverseScale
    switch rule {
    case .centers:
      let inputPosition = Float((Double(position) + 0.5) * scale - 0.5)
      return (Int(inputPosition.rounded(.down)), inputPosition - inputPosition.rounded(.down))
    case .coverage:
      let first = Int((Double(position) * scale).rounded(.down))
      let fraction = Float(Double(position + 1) - Double(first + 1) * inverseScale)
      return (first, fraction <= 0 ? 0 : fraction - fraction.rounded(.down))
    }
  }

  /// Returns the input pixels that an output pixel covers, weighted by their shares of its area.
  ///
  /// If every output pixel covers whole input pixels in both directions (`isWhole`), all weights
  /// are one, and the caller scales the sum.
  static func openCVArea(from input: Int, to output: Int, isWhole: Bool) -> AxisFilter {
    if isWhole {
      let ones = Array(repeating: Float(1), count: input / output)
      return AxisFilter(
        windows: (0..<output).map { ($0 * ones.count, ones) }, input: input)
    }
    let scale = 1 / (Double(output) / Double(input))
    return AxisFilter(
      windows: (0..<output).map { areaWindow($0, scale, input) }, input: input)
  }

  /// Returns the same input pixels, always with weights that add up to one.
  static func openCVAreaWindows(
    from input: Int, to output: Int
  ) -> [(first: Int, weights: [Double])] {
    let scale = Double(input) / Double(output)
    return (0..<output).map { position in
      let window = areaWindow(position, scale, input)
      return (window.first, window.weights.map(Double.init))
    }
  }

  private static func areaWindow(
    _ position: Int, _ scale: Double, _ input: Int
  ) -> (first: Int, weights: [Float]) {
    let start = Double(position) * scale
    let end = start + scale
    let width = min(scale, Double(input) - start)
    let lastWhole = min(Int(end.rounded(.down)), input - 1)
    let firstWhole = min(Int(start.rounded(.up)), lastWhole)
    // Covered fractions of a pixel below a thousandth are ignored, as in OpenCV.
    let threshold = 1e-3
    var weights: [Float] = []
    let hasFront = Double(firstWhole) - start > threshold
    if hasFront { weights.append(Float((Double(firstWhole) - start) / width)) }
    weights += Array(repeating: Float(1 / width), count: lastWhole - firstWhole)
    let rest = end - Double(lastWhole)
    if rest > threshold { weights.append(Float(min(min(rest, 1), width) / width)) }
    return (firstWhole - (hasFront ? 1 : 0), weights)
  }

  /// OpenCV's nearest neighbours.
  static func openCVNearest(from input: Int, to output: Int) -> AxisFilter {
    let filter = AxisFilter(count: output, taps: 1)
    let step = 1 / (Double(output) / Double(input))
    for position in 0..<output {
      filter.firsts[position] = Int32(min(Int(Double(position) * step), input - 1))
    }
    return filter
  }
}
