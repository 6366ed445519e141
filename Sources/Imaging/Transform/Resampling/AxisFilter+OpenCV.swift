extension AxisFilter {
  /// The rule by which OpenCV finds the two pixels that an output pixel lies between.
  enum LinearRule {
    /// INTER_LINEAR: by the centres of pixels.
    case centers
    /// INTER_AREA where the picture grows: the pixel that covers the output pixel, mixed with the
    /// next one where it covers only a part.
    case coverage
  }

  /// Two pixels with weights of 2⁻¹¹.
  ///
  /// Along a row (`clamped`) the places themselves stay between the first and the last pixel; across
  /// rows OpenCV lets them lie outside, and takes the first or the last row twice: the sums of its
  /// rounded products differ.
  static func openCVLinear(
    _ rule: LinearRule, from input: Int, to output: Int, clamped: Bool
  ) -> AxisFilter {
    let taps = clamped && input == 1 ? 1 : 2
    // A pair of weights has its place even where only one of them is used.
    let filter = AxisFilter(count: output, taps: taps, weightBytes: taps == 1 ? 4 : 2)
    for position in 0..<output {
      let place = linearPlace(position, rule, from: input, to: output)
      let (first, fraction) = clamped ? Self.clamped(place, input) : place
      filter.firsts[position] = Int32(first)
      filter.setWeight(fixed(1 - fraction), output: position, tap: 0)
      filter.setWeight(fixed(fraction), output: position, tap: 1)
    }
    return filter
  }

  /// The same two pixels with weights of full precision.
  static func openCVLinearWindows(
    _ rule: LinearRule, from input: Int, to output: Int
  ) -> [(first: Int, weights: [Double])] {
    (0..<output).map { position in
      let place = clamped(linearPlace(position, rule, from: input, to: output), input)
      let weights = [1 - Double(place.fraction), Double(place.fraction)]
      return (place.first, Array(weights.prefix(input)))
    }
  }

  /// The first or the last pixel alone where the place is not between two: the last one as the
  /// second of two where there are two.
  private static func clamped(
    _ place: (first: Int, fraction: Float), _ input: Int
  ) -> (first: Int, fraction: Float) {
    if place.first < 0 || input == 1 { return (0, 0) }
    return place.first >= input - 1 ? (input - 2, 1) : place
  }

  private static func fixed(_ weight: Float) -> Int16 {
    Int16((weight * 2048).rounded(.toNearestOrEven))
  }

  private static func linearPlace(
    _ position: Int, _ rule: LinearRule, from input: Int, to output: Int
  ) -> (first: Int, fraction: Float) {
    let inverseScale = Double(output) / Double(input)
    let scale = 1 / inverseScale
    switch rule {
    case .centers:
      let place = Float((Double(position) + 0.5) * scale - 0.5)
      return (Int(place.rounded(.down)), place - place.rounded(.down))
    case .coverage:
      let first = Int((Double(position) * scale).rounded(.down))
      let part = Float(Double(position + 1) - Double(first + 1) * inverseScale)
      return (first, part <= 0 ? 0 : part - part.rounded(.down))
    }
  }

  /// The pixels that an output pixel covers, with their shares of its area; or, where it covers
  /// whole ones in both directions (`isWhole`), with weights of one: their sum is scaled afterwards.
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

  /// The same pixels, with shares that add up to one in every case.
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
    // Parts of pixels that are smaller than a thousandth are left out.
    let least = 1e-3
    var weights: [Float] = []
    let hasFront = Double(firstWhole) - start > least
    if hasFront { weights.append(Float((Double(firstWhole) - start) / width)) }
    weights += Array(repeating: Float(1 / width), count: lastWhole - firstWhole)
    let rest = end - Double(lastWhole)
    if rest > least { weights.append(Float(min(min(rest, 1), width) / width)) }
    return (firstWhole - (hasFront ? 1 : 0), weights)
  }

  /// The pixels that OpenCV's nearest neighbours are.
  static func openCVNearest(from input: Int, to output: Int) -> AxisFilter {
    let filter = AxisFilter(count: output, taps: 1)
    let step = 1 / (Double(output) / Double(input))
    for position in 0..<output {
      filter.firsts[position] = Int32(min(Int(Double(position) * step), input - 1))
    }
    return filter
  }
}
