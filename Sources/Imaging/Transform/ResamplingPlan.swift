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
  private let method: ResamplingMethod
  private let rows: ResamplingRows
  /// The rows that make the current one of the result.
  private let taps: UnsafeMutablePointer<UnsafeRawPointer>

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
    method = ResamplingMethod(resampler, from: source, to: result, kernels)
    var rowBytes = StoredRowReader.bufferBytes(width: source.width)
    var batch = 1
    if case .filters(let filters) = method {
      rowBytes = max(rowBytes, result.width * channels * filters.elementBytes + pictureSlack)
      batch = 4
    }
    rows = ResamplingRows(
      method.vertical, height: source.height, rowBytes: rowBytes, batch: batch)
    taps = .allocate(capacity: method.vertical.taps)
  }

  deinit { taps.deallocate() }

  /// Forgets the rows of the last picture.
  func begin() { rows.forget() }

  /// Makes a row of the result.
  func makeRow(_ y: Int, from source: some PixelRows, to target: UnsafeMutableRawPointer) {
    let vertical = method.vertical
    let first = Int(vertical.firsts[y])
    for tap in 0..<vertical.taps {
      taps[tap] = rows.row(first + tap) { place, count in read(place, count, from: source) }
    }
    switch method {
    case .filters(let filters):
      filters.across(
        AcrossRowsArguments(
          rows: taps, output: target, count: result.width * channels,
          weights: vertical.weights + y * vertical.weightStride, taps: vertical.taps,
          scale: filters.scale, offset: filters.offset))
    case .bilinear(let columns, let places, _): mix(columns, places[y], to: target)
    case .nearest(let columns, _):
      kernels.nearest(
        NearestRowArguments(
          input: taps[0], output: target, columns: columns.firsts, count: result.width,
          channels: channels))
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
          output: target, columns: places, count: result.width, channels: channels))
    }
  }

  /// Reads rows of the source into their places, through the filter along them if there is one.
  private func read(_ place: Int, _ count: Int, from source: some PixelRows) {
    guard case .filters(let filters) = method else {
      rows.keep(source.row(rows.number(place), buffer: rows.slot(place)), at: place)
      return
    }
    for index in 0..<count {
      rows.inputs[index] = source.row(rows.number(place + index), buffer: rows.buffer(index))
      rows.outputs[index] = rows.slot(place + index)
      rows.keep(UnsafeRawPointer(rows.outputs[index]), at: place + index)
    }
    let horizontal = filters.horizontal
    filters.along(
      AlongRowArguments(
        inputs: rows.inputs, outputs: rows.outputs, rowCount: count, count: result.width,
        channels: channels, firsts: horizontal.firsts, weights: horizontal.weights,
        taps: horizontal.taps))
  }
}
