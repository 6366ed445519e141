import OcellusKernelABI

/// The passes and the tables with which a resampler resizes between two sizes.
///
/// Transposed pictures are resampled in stored order: the pass that would filter rows filters
/// columns instead and stays first, so that every sum equals that of the upright picture.
enum ResamplingMethod {
  /// A filter in one direction, then a filter in the other direction.
  case filters(Filters)
  /// Bilinear interpolation of four pixels in one step.
  case bilinear(columns: [PixelPosition], rows: [PixelPosition], across: AxisFilter)
  /// Copies of single pixels.
  case nearest(columns: AxisFilter, rows: AxisFilter)

  /// The two filters and their kernels.
  struct Filters {
    var along: PictureKernels.HorizontalFilter
    var across: PictureKernels.VerticalFilter
    /// The taps along rows.
    var columns: AxisFilter
    /// The taps across rows.
    var rows: AxisFilter
    /// The size of an element between the two passes, in bytes.
    var elementBytes: Int
    /// Whether the pass across rows comes first.
    var startsAcross = false
    /// The number of pixels by which the input of a second pass along rows is extended at both
    /// ends, with copies of the first and the last pixel.
    var margin = 0
    /// The factor for float sums, to which `offset` is added afterwards.
    var scale: Float = 1
    var offset: Float = 0
  }

  /// The rows from which each output row is made.
  var rows: AxisFilter {
    switch self {
    case .filters(let filters): filters.rows
    case .bilinear(_, _, let across): across
    case .nearest(_, let rows): rows
    }
  }

  /// Whether a resampler is exact in stored order; otherwise pictures are rotated first.
  ///
  /// OpenCV's mean over areas is a float sum, which depends on the order of its terms.
  static func isExactInStoredOrder(_ resampler: Resampler) -> Bool { resampler != .openCVArea }

  /// Creates the tables for a source and a result of these upright sizes.
  init(
    _ resampler: Resampler, from source: PixelSize, to result: PixelSize, rowOrder: StoredRowOrder,
    _ kernels: PictureKernels
  ) {
    let sizes = Sizes(source: source, result: result, rowOrder: rowOrder)
    switch resampler {
    case .tensorFlowBilinear: self = .bilinear(sizes, alignsCorners: false)
    case .tensorFlowBilinearAlignCorners: self = .bilinear(sizes, alignsCorners: true)
    case .tensorFlowNearest: self = .nearest(sizes, AxisFilter.tensorFlowNearest)
    case .pillowNearest: self = .nearest(sizes, AxisFilter.pillowNearest)
    case .openCVNearest: self = .nearest(sizes, AxisFilter.openCVNearest)
    case .pillowBox: self = .pillow(.box, sizes, kernels)
    case .pillowBilinear: self = .pillow(.triangle, sizes, kernels)
    case .pillowBicubic: self = .pillow(.cubic, sizes, kernels)
    case .pillowLanczos: self = .pillow(.lanczos, sizes, kernels)
    case .openCVLinear: self = .linear(.centers, sizes, kernels)
    case .openCVArea where source.width < result.width || source.height < result.height:
      self = .linear(.coverage, sizes, kernels)
    case .openCVArea: self = .area(sizes, kernels)
    }
  }

  /// The lengths along the stored rows and across them, before and after resizing.
  private struct Sizes {
    var along: (from: Int, to: Int)
    var across: (from: Int, to: Int)
    var rowOrder: StoredRowOrder

    init(source: PixelSize, result: PixelSize, rowOrder: StoredRowOrder) {
      self.rowOrder = rowOrder
      along = (source.width, result.width)
      across = (source.height, result.height)
      if rowOrder.isTransposed { swap(&along, &across) }
    }

    /// Makes a filter along the stored rows, mirrored if they are.
    func alongFilter(_ make: (_ from: Int, _ to: Int) -> AxisFilter) -> AxisFilter {
      let filter = make(along.from, along.to)
      return rowOrder.mirrorsRows ? filter.mirrored(input: along.from) : filter
    }
  }

  private static func nearest(
    _ sizes: Sizes, _ filter: (_ from: Int, _ to: Int) -> AxisFilter
  ) -> ResamplingMethod {
    .nearest(
      columns: sizes.alongFilter(filter), rows: filter(sizes.across.from, sizes.across.to))
  }

  private static func bilinear(_ sizes: Sizes, alignsCorners: Bool) -> ResamplingMethod {
    let rows = AxisFilter.tensorFlowInterpolation(
      from: sizes.across.from, to: sizes.across.to, alignsCorners: alignsCorners)
    let across = AxisFilter(count: sizes.across.to, taps: 2)
    for (y, position) in rows.enumerated() { across.firsts[y] = position.lower }
    let last = Int32(sizes.along.from - 1)
    let columns = AxisFilter.tensorFlowInterpolation(
      from: sizes.along.from, to: sizes.along.to, alignsCorners: alignsCorners
    ).map { position in
      var position = position
      // A pixel with zero weight may be any pixel; the kernel is fastest if it is the next one.
      if position.upper == position.lower, position.upperWeight == 0, position.lower < last {
        position.upper += 1
      }
      if sizes.rowOrder.mirrorsRows {
        position.lower = last - position.lower
        position.upper = last - position.upper
      }
      return position
    }
    return .bilinear(columns: columns, rows: rows, across: across)
  }

  private static func pillow(
    _ kernel: PillowKernel, _ sizes: Sizes, _ kernels: PictureKernels
  ) -> ResamplingMethod {
    .filters(
      Filters(
        along: kernels.fixedPointHorizontal, across: kernels.fixedPointVertical,
        columns: sizes.alongFilter { .pillow(kernel, from: $0, to: $1) }.splitIntoLowAndHighBits(),
        rows: .pillow(kernel, from: sizes.across.from, to: sizes.across.to), elementBytes: 1,
        startsAcross: sizes.rowOrder.isTransposed))
  }

  private static func linear(
    _ rule: AxisFilter.LinearRule, _ sizes: Sizes, _ kernels: PictureKernels
  ) -> ResamplingMethod {
    func filter(_ from: Int, _ to: Int, clamped: Bool) -> AxisFilter {
      .openCVLinear(rule, from: from, to: to, clamped: clamped)
    }
    guard sizes.rowOrder.isTransposed else {
      return .filters(
        Filters(
          along: kernels.linearHorizontal, across: kernels.linearVertical,
          columns: sizes.alongFilter { filter($0, $1, clamped: true) },
          rows: filter(sizes.across.from, sizes.across.to, clamped: false), elementBytes: 2))
    }
    return .filters(
      Filters(
        along: kernels.linearBytesHorizontal, across: kernels.linearSumsVertical,
        columns: sizes.alongFilter { filter($0, $1, clamped: false) }.shifted(by: 1),
        rows: filter(sizes.across.from, sizes.across.to, clamped: true), elementBytes: 2,
        startsAcross: true, margin: 1))
  }

  private static func area(_ sizes: Sizes, _ kernels: PictureKernels) -> ResamplingMethod {
    let (along, across) = (sizes.along, sizes.across)
    let isWhole = along.from % along.to == 0 && across.from % across.to == 0
    let factors = (along.from / along.to, across.from / across.to)
    return .filters(
      Filters(
        along: kernels.areaHorizontal, across: kernels.areaVertical,
        columns: .openCVArea(from: along.from, to: along.to, isWhole: isWhole),
        rows: .openCVArea(from: across.from, to: across.to, isWhole: isWhole),
        elementBytes: 4, scale: isWhole ? Float(1 / Double(factors.0 * factors.1)) : 1,
        // OpenCV rounds sums of 2×2 pixels half up, and all other sums half to even. Sums of four
        // bytes are multiples of 1/4, so adding an eighth moves a half up without affecting other
        // fractions.
        offset: isWhole && factors == (2, 2) ? 0.125 : 0))
  }
}
