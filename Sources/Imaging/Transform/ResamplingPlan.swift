import OcellusKernelABI
import OcellusKernelDispatch

/// What it takes to bring pictures of one size to another: tables, and memory for the rows that are
/// in work.
///
/// Rows of the result are asked for from the top down. Every row of the source that is needed is read
/// once; what a filter along it leaves is kept for as long as rows of the result need it.
final class ResamplingPlan {
  let source: PixelSize
  let result: PixelSize
  let channels: Int
  private let kernels: PictureKernels
  private let method: Method
  private let vertical: AxisFilter
  /// Rows of the source that are kept, one in each slot: row y in slot y modulo their number.
  private var kept: [Int]
  private var keptRows: [UnsafeRawPointer?]
  private let slots: UnsafeMutableRawBufferPointer
  private let slotBytes: Int
  /// The rows that make the current one of the result.
  private let taps: UnsafeMutablePointer<UnsafeRawPointer>

  private enum Method {
    /// A filter along the rows, and one across what it leaves.
    case filters(
      along: PictureKernels.AlongRow, AxisFilter, across: PictureKernels.AcrossRows,
      elementBytes: Int, scale: Float, offset: Float)
    /// Four pixels mixed at once.
    case bilinear(columns: [PixelPlace], rows: [PixelPlace])
    /// Pixels copied.
    case nearest(AxisFilter)
  }

  /// A plan for pictures with up to four bytes a pixel.
  init(
    _ resampler: Resampler, from source: PixelSize, to result: PixelSize, channels: Int,
    kernels: PictureKernels = KernelTable.best.pictures
  ) {
    precondition(
      source.width > 0 && source.height > 0 && result.width > 0 && result.height > 0
        && 1...4 ~= channels, "resampling from \(source) to \(result)")
    self.source = source
    self.result = result
    self.channels = channels
    self.kernels = kernels
    (method, vertical) = Self.method(resampler, from: source, to: result, kernels)
    var rowBytes = StoredRowReader.bufferBytes(width: source.width)
    if case .filters(_, _, _, let elementBytes, _, _) = method {
      rowBytes = max(rowBytes, result.width * channels * elementBytes + 64)
    }
    slotBytes = (rowBytes + 63) / 64 * 64
    // The last slot is for source rows on their way through the filter along them.
    slots = .allocate(byteCount: (vertical.taps + 1) * slotBytes, alignment: 64)
    kept = Array(repeating: -1, count: vertical.taps)
    keptRows = Array(repeating: nil, count: vertical.taps)
    taps = .allocate(capacity: vertical.taps)
  }

  deinit {
    slots.deallocate()
    taps.deallocate()
  }

  /// Forgets the rows of the last picture.
  func begin() {
    for slot in kept.indices { kept[slot] = -1 }
  }

  /// Makes a row of the result.
  func makeRow(_ y: Int, from rows: some PixelRows, to target: UnsafeMutableRawPointer) {
    let first = Int(vertical.firsts[y])
    for tap in 0..<vertical.taps {
      taps[tap] = keptRow(min(max(first + tap, 0), source.height - 1), from: rows)
    }
    switch method {
    case .filters(_, _, let across, _, let scale, let offset):
      across(
        AcrossRowsArguments(
          rows: taps, output: target, count: result.width * channels,
          weights: vertical.weights + y * vertical.weightStride, taps: vertical.taps,
          scale: scale, offset: offset))
    case .bilinear(let columns, let places): mix(columns, places[y], to: target)
    case .nearest(let filter):
      kernels.nearest(arguments(filter, input: taps[0], output: target))
    }
  }

  private func mix(
    _ columns: [PixelPlace], _ place: PixelPlace, to target: UnsafeMutableRawPointer
  ) {
    columns.withUnsafeBufferPointer { columns in
      guard let places = columns.baseAddress else { return }
      kernels.bilinear(
        BilinearRowArguments(
          upper: taps[0], lower: taps[place.upper > place.lower ? 1 : 0],
          upperWeight: Float(bitPattern: UInt32(bitPattern: place.lowerWeight)),
          lowerWeight: Float(bitPattern: UInt32(bitPattern: place.upperWeight)),
          inputWidth: source.width, output: target, columns: places, count: result.width,
          channels: channels))
    }
  }

  /// A row of the source, filtered along if the method does that.
  private func keptRow(_ y: Int, from rows: some PixelRows) -> UnsafeRawPointer {
    let slot = y % kept.count
    if kept[slot] == y, let row = keptRows[slot] { return row }
    guard let start = slots.baseAddress else { preconditionFailure("a plan without memory") }
    let place = start + slot * slotBytes
    let row: UnsafeRawPointer
    if case .filters(let along, let filter, _, _, _, _) = method {
      let input = rows.row(y, buffer: start + kept.count * slotBytes)
      along(arguments(filter, input: input, output: place))
      row = UnsafeRawPointer(place)
    } else {
      row = rows.row(y, buffer: place)
    }
    kept[slot] = y
    keptRows[slot] = row
    return row
  }

  private func arguments(
    _ filter: AxisFilter, input: UnsafeRawPointer, output: UnsafeMutableRawPointer
  ) -> AlongRowArguments {
    AlongRowArguments(
      input: input, inputWidth: source.width, output: output, count: result.width,
      channels: channels, firsts: filter.firsts, weights: filter.weights, taps: filter.taps)
  }
}

extension ResamplingPlan {
  /// How a resampler works, and its filter across rows.
  private static func method(
    _ resampler: Resampler, from source: PixelSize, to result: PixelSize, _ kernels: PictureKernels
  ) -> (Method, AxisFilter) {
    let (width, height) = (result.width, result.height)
    func pillow(_ kernel: PillowKernel) -> (Method, AxisFilter) {
      (
        .filters(
          along: kernels.fixedAlong, .pillow(kernel, from: source.width, to: width),
          across: kernels.fixedAcross, elementBytes: 1, scale: 1, offset: 0),
        .pillow(kernel, from: source.height, to: height)
      )
    }
    func linear(_ rule: AxisFilter.LinearRule) -> (Method, AxisFilter) {
      (
        .filters(
          along: kernels.linearAlong,
          .openCVLinear(rule, from: source.width, to: width, clamped: true),
          across: kernels.linearAcross, elementBytes: 2, scale: 1, offset: 0),
        .openCVLinear(rule, from: source.height, to: height, clamped: false)
      )
    }
    func bilinear(alignsCorners: Bool) -> (Method, AxisFilter) {
      let rows = AxisFilter.tensorFlowPlaces(
        from: source.height, to: height, alignsCorners: alignsCorners)
      let filter = AxisFilter(count: height, taps: 2)
      for (y, place) in rows.enumerated() { filter.firsts[y] = place.lower }
      let columns = AxisFilter.tensorFlowPlaces(
        from: source.width, to: width, alignsCorners: alignsCorners)
      return (.bilinear(columns: columns, rows: rows), filter)
    }
    func nearest(_ filter: (_ from: Int, _ to: Int) -> AxisFilter) -> (Method, AxisFilter) {
      (.nearest(filter(source.width, width)), filter(source.height, height))
    }
    switch resampler {
    case .tensorFlowNearest: return nearest(AxisFilter.tensorFlowNearest)
    case .tensorFlowBilinear: return bilinear(alignsCorners: false)
    case .tensorFlowBilinearAlignCorners: return bilinear(alignsCorners: true)
    case .pillowNearest: return nearest(AxisFilter.pillowNearest)
    case .pillowBox: return pillow(.box)
    case .pillowBilinear: return pillow(.triangle)
    case .pillowBicubic: return pillow(.cubic)
    case .pillowLanczos: return pillow(.lanczos)
    case .openCVNearest: return nearest(AxisFilter.openCVNearest)
    case .openCVLinear: return linear(.centers)
    case .openCVArea where source.width < width || source.height < height:
      return linear(.coverage)
    case .openCVArea: return area(from: source, to: result, kernels)
    }
  }

  private static func area(
    from source: PixelSize, to result: PixelSize, _ kernels: PictureKernels
  ) -> (Method, AxisFilter) {
    let isWhole = source.width % result.width == 0 && source.height % result.height == 0
    let area = isWhole ? source.width / result.width * (source.height / result.height) : 1
    let isQuartering =
      isWhole && source.width == 2 * result.width && source.height == 2 * result.height
    return (
      .filters(
        along: kernels.areaAlong,
        .openCVArea(from: source.width, to: result.width, isWhole: isWhole),
        across: kernels.areaAcross, elementBytes: 4, scale: Float(1 / Double(area)),
        // OpenCV rounds quarters half up, and everything else half to even. Sums of four bytes are
        // multiples of 1/4, which an eighth moves to the side of the half where they belong.
        offset: isQuartering ? 0.125 : 0),
      .openCVArea(from: source.height, to: result.height, isWhole: isWhole)
    )
  }
}
