import OcellusKernelABI

/// How a resampler makes rows of rows, with the tables for two sizes.
enum ResamplingMethod {
  /// A filter along rows, and one across what it leaves.
  case filters(Filters)
  /// Four pixels mixed at once.
  case bilinear(columns: [PixelPlace], rows: [PixelPlace], vertical: AxisFilter)
  /// Pixels copied.
  case nearest(columns: AxisFilter, rows: AxisFilter)

  struct Filters {
    var along: PictureKernels.AlongRow
    var across: PictureKernels.AcrossRows
    var horizontal: AxisFilter
    var vertical: AxisFilter
    /// The bytes of an element between the filters.
    var elementBytes: Int
    /// What sums of floats are multiplied with, and what is added then.
    var scale: Float = 1
    var offset: Float = 0
  }

  /// The rows that each row of the result is made of.
  var vertical: AxisFilter {
    switch self {
    case .filters(let filters): filters.vertical
    case .bilinear(_, _, let vertical): vertical
    case .nearest(_, let rows): rows
    }
  }

  init(
    _ resampler: Resampler, from source: PixelSize, to result: PixelSize,
    _ kernels: PictureKernels
  ) {
    switch resampler {
    case .tensorFlowBilinear: self = .bilinear(source, result, alignsCorners: false)
    case .tensorFlowBilinearAlignCorners: self = .bilinear(source, result, alignsCorners: true)
    case .tensorFlowNearest: self = .nearest(source, result, AxisFilter.tensorFlowNearest)
    case .pillowNearest: self = .nearest(source, result, AxisFilter.pillowNearest)
    case .openCVNearest: self = .nearest(source, result, AxisFilter.openCVNearest)
    case .pillowBox: self = .pillow(.box, source, result, kernels)
    case .pillowBilinear: self = .pillow(.triangle, source, result, kernels)
    case .pillowBicubic: self = .pillow(.cubic, source, result, kernels)
    case .pillowLanczos: self = .pillow(.lanczos, source, result, kernels)
    case .openCVLinear: self = .linear(.centers, source, result, kernels)
    case .openCVArea where source.width < result.width || source.height < result.height:
      self = .linear(.coverage, source, result, kernels)
    case .openCVArea: self = .area(source, result, kernels)
    }
  }

  private static func nearest(
    _ source: PixelSize, _ result: PixelSize, _ filter: (_ from: Int, _ to: Int) -> AxisFilter
  ) -> ResamplingMethod {
    .nearest(
      columns: filter(source.width, result.width), rows: filter(source.height, result.height))
  }

  private static func bilinear(
    _ source: PixelSize, _ result: PixelSize, alignsCorners: Bool
  ) -> ResamplingMethod {
    let rows = AxisFilter.tensorFlowPlaces(
      from: source.height, to: result.height, alignsCorners: alignsCorners)
    let vertical = AxisFilter(count: result.height, taps: 2)
    for (y, place) in rows.enumerated() { vertical.firsts[y] = place.lower }
    let columns = AxisFilter.tensorFlowPlaces(
      from: source.width, to: result.width, alignsCorners: alignsCorners)
    return .bilinear(columns: columns, rows: rows, vertical: vertical)
  }

  private static func pillow(
    _ kernel: PillowKernel, _ source: PixelSize, _ result: PixelSize, _ kernels: PictureKernels
  ) -> ResamplingMethod {
    let horizontal = AxisFilter.pillow(
      kernel, from: source.width, to: result.width, tapMultiple: 4)
    return .filters(
      Filters(
        along: kernels.fixedAlong, across: kernels.fixedAcross,
        horizontal: horizontal.splitIntoHalves(),
        vertical: .pillow(kernel, from: source.height, to: result.height), elementBytes: 1))
  }

  private static func linear(
    _ rule: AxisFilter.LinearRule, _ source: PixelSize, _ result: PixelSize,
    _ kernels: PictureKernels
  ) -> ResamplingMethod {
    .filters(
      Filters(
        along: kernels.linearAlong, across: kernels.linearAcross,
        horizontal: .openCVLinear(rule, from: source.width, to: result.width, clamped: true),
        vertical: .openCVLinear(rule, from: source.height, to: result.height, clamped: false),
        elementBytes: 2))
  }

  private static func area(
    _ source: PixelSize, _ result: PixelSize, _ kernels: PictureKernels
  ) -> ResamplingMethod {
    let isWhole = source.width % result.width == 0 && source.height % result.height == 0
    let factors = (source.width / result.width, source.height / result.height)
    return .filters(
      Filters(
        along: kernels.areaAlong, across: kernels.areaAcross,
        horizontal: .openCVArea(from: source.width, to: result.width, isWhole: isWhole),
        vertical: .openCVArea(from: source.height, to: result.height, isWhole: isWhole),
        elementBytes: 4, scale: isWhole ? Float(1 / Double(factors.0 * factors.1)) : 1,
        // OpenCV rounds quarters half up, and everything else half to even. Sums of four bytes are
        // multiples of 1/4, which an eighth moves to the side of the half where they belong.
        offset: isWhole && factors == (2, 2) ? 0.125 : 0))
  }
}
