import OcellusKernelABI

extension AxisFilter {
  /// TensorFlow's nearest neighbours, with half-pixel centres.
  static func tensorFlowNearest(from input: Int, to output: Int) -> AxisFilter {
    let filter = AxisFilter(count: output, taps: 1)
    let scale = Float(input) / Float(output)
    for position in 0..<output {
      let inputPosition = ((Float(position) + 0.5) * scale).rounded(.down)
      filter.firsts[position] = Int32(min(Int(inputPosition), input - 1))
    }
    return filter
  }

  /// Returns the pairs of pixels that TensorFlow's bilinear interpolation mixes, with float
  /// weights.
  ///
  /// Before the centre of the first pixel, one weight is negative and both pixels are the first
  /// one.
  static func tensorFlowInterpolation(
    from input: Int, to output: Int, alignsCorners: Bool
  ) -> [PixelPosition] {
    let isAligned = alignsCorners && output > 1
    let scale =
      isAligned ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
    return (0..<output).map { position in
      let inputPosition =
        alignsCorners ? Float(position) * scale : (Float(position) + 0.5) * scale - 0.5
      let lower = min(max(Int(inputPosition.rounded(.down)), 0), input - 1)
      let upper = min(max(Int(inputPosition.rounded(.up)), 0), input - 1)
      let fraction = inputPosition - Float(lower)
      return PixelPosition(
        lower: Int32(lower), upper: Int32(upper),
        lowerWeight: Int32(bitPattern: (1 - fraction).bitPattern),
        upperWeight: Int32(bitPattern: fraction.bitPattern))
    }
  }
}
