import OcellusKernelABI

/// Resizes planes of 16-bit or float samples, by the same rules as for bytes.
///
/// Such pictures are rare and not time-critical, so scalar loops in double precision suffice.
/// TensorFlow's bilinear interpolation is defined in single precision, and computed in it.
struct FloatResampling {
  private typealias Window = (first: Int, weights: [Double])

  private let source: PixelSize
  private let result: PixelSize
  private let resampler: Resampler

  init(_ resampler: Resampler, from source: PixelSize, to result: PixelSize) {
    self.resampler = resampler
    self.source = source
    self.result = result
  }

  /// Returns the plane in its new size, with every sample passed through `rounded`.
  ///
  /// Pillow's resamplers round after the horizontal pass, too.
  func resized(_ plane: [Float], rounded: (Float) -> Float) -> [Float] {
    switch resampler {
    case .tensorFlowBilinear: interpolated(plane, alignsCorners: false).map(rounded)
    case .tensorFlowBilinearAlignCorners:
      interpolated(plane, alignsCorners: true).map(rounded)
    default: filtered(plane, rounded)
    }
  }

  private func interpolated(_ plane: [Float], alignsCorners: Bool) -> [Float] {
    let columns = AxisFilter.tensorFlowInterpolation(
      from: source.width, to: result.width, alignsCorners: alignsCorners)
    let rows = AxisFilter.tensorFlowInterpolation(
      from: source.height, to: result.height, alignsCorners: alignsCorners)
    return rows.flatMap { row in
      let upper = Int(row.lower) * source.width
      let lower = Int(row.upper) * source.width
      return columns.map { column in
        let left = Int(column.lower)
        let right = Int(column.upper)
        // The reference kernel multiplies and adds in this order.
        let first = plane[upper + left] * row.near * column.near
        let second = plane[lower + left] * row.far * column.near
        let third = plane[upper + right] * row.near * column.far
        let fourth = plane[lower + right] * row.far * column.far
        return first + second + third + fourth
      }
    }
  }

  private func filtered(_ plane: [Float], _ rounded: (Float) -> Float) -> [Float] {
    let columns = windows(from: source.width, to: result.width)
    let rows = windows(from: source.height, to: result.height)
    var narrowed: [Float] = []
    narrowed.reserveCapacity(result.width * source.height)
    for y in 0..<source.height {
      for window in columns {
        let sum = sum(of: plane, window, start: y * source.width, step: 1)
        narrowed.append(resampler.roundsBetweenPasses ? rounded(Float(sum)) : Float(sum))
      }
    }
    var resized: [Float] = []
    resized.reserveCapacity(result.width * result.height)
    for window in rows {
      for x in 0..<result.width {
        let sum = sum(of: narrowed, window, start: x, step: result.width)
        resized.append(rounded(Float(sum)))
      }
    }
    return resized
  }

  private func sum(of values: [Float], _ window: Window, start: Int, step: Int) -> Double {
    var sum = 0.0
    for (tap, weight) in window.weights.enumerated() {
      sum += Double(values[start + (window.first + tap) * step]) * weight
    }
    return sum
  }

  private func windows(from input: Int, to output: Int) -> [Window] {
    func nearest(_ filter: AxisFilter) -> [Window] {
      (0..<output).map { (first: Int(filter.firsts[$0]), weights: [1]) }
    }
    switch resampler {
    case .tensorFlowNearest, .tensorFlowBilinear, .tensorFlowBilinearAlignCorners:
      return nearest(.tensorFlowNearest(from: input, to: output))
    case .pillowNearest: return nearest(.pillowNearest(from: input, to: output))
    case .openCVNearest: return nearest(.openCVNearest(from: input, to: output))
    case .pillowBox: return AxisFilter.pillowWindows(.box, from: input, to: output)
    case .pillowBilinear: return AxisFilter.pillowWindows(.triangle, from: input, to: output)
    case .pillowBicubic: return AxisFilter.pillowWindows(.cubic, from: input, to: output)
    case .pillowLanczos: return AxisFilter.pillowWindows(.lanczos, from: input, to: output)
    case .openCVLinear: return AxisFilter.openCVLinearWindows(.centers, from: input, to: output)
    case .openCVArea where source.width < result.width || source.height < result.height:
      return AxisFilter.openCVLinearWindows(.coverage, from: input, to: output)
    case .openCVArea: return AxisFilter.openCVAreaWindows(from: input, to: output)
    }
  }
}

extension Resampler {
  fileprivate var roundsBetweenPasses: Bool {
    switch self {
    case .pillowBox, .pillowBilinear, .pillowBicubic, .pillowLanczos: true
    default: false
    }
  }
}

extension PixelPosition {
  /// The float weight of the pixel before the position.
  fileprivate var near: Float { Float(bitPattern: UInt32(bitPattern: lowerWeight)) }
  /// The float weight of the pixel after the position.
  fileprivate var far: Float { Float(bitPattern: UInt32(bitPattern: upperWeight)) }
}
