import OcellusPlatform

/// The filter kernels of Pillow's resize, as functions of the distance in output pixels.
enum PillowKernel {
  case box
  case triangle
  case cubic
  case lanczos

  /// The distance beyond which the kernel is zero.
  var support: Double {
    switch self {
    case .box: 0.5
    case .triangle: 1
    case .cubic: 2
    case .lanczos: 3
    }
  }

  func callAsFunction(_ distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .box: return distance > -0.5 && distance <= 0.5 ? 1 : 0
    case .triangle: return x < 1 ? 1 - x : 0
    case .cubic:
      // Keys' cubic convolution with a = -1/2.
      let a = -0.5
      if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
      return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
    case .lanczos: return x < 3 ? Self.sinc(distance) * Self.sinc(distance / 3) : 0
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
}

extension AxisFilter {
  /// Returns the windows of Pillow's resize, with weights that add up to one.
  static func pillowWindows(
    _ kernel: PillowKernel, from input: Int, to output: Int
  ) -> [(first: Int, weights: [Double])] {
    let scale = Double(input) / Double(output)
    // When reducing, the kernel is stretched by the reduction factor.
    let stretch = max(scale, 1)
    let support = kernel.support * stretch
    return (0..<output).map { position in
      let center = (Double(position) + 0.5) * scale
      let first = max(Int(center - support + 0.5), 0)
      let end = min(Int(center + support + 0.5), input)
      var weights = (first..<end).map { pixel in
        kernel((Double(pixel) - center + 0.5) * (1 / stretch))
      }
      let sum = weights.reduce(0, +)
      if sum != 0 { weights = weights.map { $0 / sum } }
      return (first, weights)
    }
  }

  /// Returns the same windows with fixed-point weights in units of 2⁻²², rounded half away from
  /// zero as in Pillow.
  static func pillow(_ kernel: PillowKernel, from input: Int, to output: Int) -> AxisFilter {
    let windows = pillowWindows(kernel, from: input, to: output).map { window in
      (
        first: window.first,
        weights: window.weights.map { weight in
          Int32(weight * Double(1 << 22) + (weight < 0 ? -0.5 : 0.5))
        }
      )
    }
    return AxisFilter(windows: windows, input: input)
  }

  /// Pillow's nearest neighbours.
  ///
  /// Positions are accumulated in floating point, as in Pillow, to reproduce its rounding errors.
  static func pillowNearest(from input: Int, to output: Int) -> AxisFilter {
    let filter = AxisFilter(count: output, taps: 1)
    let step = Double(input) / Double(output)
    var inputPosition = step * 0.5
    for position in 0..<output {
      filter.firsts[position] = Int32(min(Int(inputPosition), input - 1))
      inputPosition += step
    }
    return filter
  }
}
