import OcellusKernelABI
import OcellusKernelDispatch

/// The tables and the row buffers for resizing pictures of one size to another.
///
/// Output rows are requested from top to bottom; for transposed pictures, output columns from left
/// to right. Each source row that is needed is read once. The result of a first pass along it is
/// kept for as long as output rows need it.
final class ResamplingPlan {
  /// The size of the upright source; `result` is the size of the upright result.
  let source: PixelSize
  let result: PixelSize
  let rowOrder: StoredRowOrder
  let channels: Int
  private let kernels: PictureKernels
  private let method: ResamplingMethod
  private let rows: ResamplingRows
  /// The source rows from which the current output row is made.
  private let taps: UnsafeMutablePointer<UnsafeRawPointer>
  /// The output of a first pass across rows, before the pass along them.
  private let mixedRow: UnsafeMutableRawPointer

  /// The number of pixels in a source row, in stored order.
  private var rowLength: Int { rowOrder.isTransposed ? source.height : source.width }
  /// The number of pixels in an output row, in stored order.
  private var resultLength: Int { rowOrder.isTransposed ? result.height : result.width }

  /// Creates a plan for pictures with up to four bytes per pixel.
  init(
    _ resampler: Resampler, from source: PixelSize, to result: PixelSize, channels: Int,
    rowOrder: StoredRowOrder = StoredRowOrder(.up),
    kernels: PictureKernels = KernelTable.best.pictures
  ) {
    precondition(
      source.width > 0 && source.height > 0 && result.width > 0 && result.height > 0
        && 1...4 ~= channels, "resampling from \(source) to \(result)")
    self.source = source
    self.result = result
    self.rowOrder = rowOrder
    self.channels = channels
    self.kernels = kernels
    method = ResamplingMethod(resampler, from: source, to: result, rowOrder: rowOrder, kernels)
    let rowLength = rowOrder.isTransposed ? source.height : source.width
    let resultLength = rowOrder.isTransposed ? result.height : result.width
    let bufferBytes = StoredRowReader.bufferBytes(width: rowLength)
    var slotBytes = bufferBytes
    var batch = 1
    var mixedBytes = 0
    if case .filters(let filters) = method, filters.startsAcross {
      mixedBytes =
        (rowLength + 2 * filters.margin) * channels * filters.elementBytes + pictureSlack
    } else if case .filters(let filters) = method {
      slotBytes = resultLength * channels * filters.elementBytes + pictureSlack
      batch = 4
    }
    rows = ResamplingRows(
      method.rows, height: rowOrder.isTransposed ? source.width : source.height,
      slotBytes: slotBytes, bufferBytes: bufferBytes, batch: batch)
    taps = .allocate(capacity: method.rows.taps)
    mixedRow = .allocate(byteCount: mixedBytes, alignment: 64)
  }

  deinit {
    taps.deallocate()
    mixedRow.deallocate()
  }

  /// Discards the rows of the previous picture.
  func begin() { rows.forget() }

  /// Makes an output row.
  ///
  /// For transposed pictures, up to `pictureSlack` bytes after the row are overwritten, too.
  func makeRow(_ y: Int, from source: some PixelRows, to target: UnsafeMutableRawPointer) {
    let first = Int(method.rows.firsts[y])
    for tap in 0..<method.rows.taps {
      taps[tap] = rows.row(first + tap) { rowIndex, count in read(rowIndex, count, from: source) }
    }
    switch method {
    case .filters(let filters) where filters.startsAcross:
      mixRows(filters, y)
      filterMixedRow(filters, to: target)
    case .filters(let filters):
      filters.across(acrossArguments(filters, y, to: target, resultLength))
    case .bilinear(let columns, let rowPositions, _): mix(columns, rowPositions[y], to: target)
    case .nearest(let columns, _):
      kernels.nearest(
        NearestRowArguments(
          input: taps[0], output: target, columns: columns.firsts, count: resultLength,
          channels: channels))
    }
  }

  private func mix(
    _ columns: [PixelPosition], _ rowPosition: PixelPosition, to target: UnsafeMutableRawPointer
  ) {
    columns.withUnsafeBufferPointer { columns in
      guard let columnPositions = columns.baseAddress else { return }
      let mix = rowOrder.isTransposed ? kernels.bilinearTransposed : kernels.bilinear
      mix(
        BilinearRowArguments(
          upper: taps[0], lower: taps[rowPosition.upper > rowPosition.lower ? 1 : 0],
          upperWeight: Float(bitPattern: UInt32(bitPattern: rowPosition.lowerWeight)),
          lowerWeight: Float(bitPattern: UInt32(bitPattern: rowPosition.upperWeight)),
          output: target, columns: columnPositions, count: resultLength, channels: channels,
          isMirrored: rowOrder.mirrorsRows))
    }
  }

  /// Reads source rows into their slots, and filters them if the pass along rows comes first.
  private func read(_ rowIndex: Int, _ count: Int, from source: some PixelRows) {
    guard case .filters(let filters) = method, !filters.startsAcross else {
      rows.keep(source.row(rows.number(rowIndex), buffer: rows.slot(rowIndex)), at: rowIndex)
      return
    }
    for index in 0..<count {
      rows.inputs[index] = source.row(rows.number(rowIndex + index), buffer: rows.buffer(index))
      rows.outputs[index] = rows.slot(rowIndex + index)
      rows.keep(UnsafeRawPointer(rows.outputs[index]), at: rowIndex + index)
    }
    filters.along(alongArguments(filters, rowCount: count))
  }

  /// Filters across rows and extends the result by the margin that the pass along rows reads.
  private func mixRows(_ filters: ResamplingMethod.Filters, _ y: Int) {
    let pixelBytes = channels * filters.elementBytes
    let start = mixedRow + filters.margin * pixelBytes
    let end = start + rowLength * pixelBytes
    filters.across(acrossArguments(filters, y, to: start, rowLength))
    for pixel in 0..<filters.margin {
      (mixedRow + pixel * pixelBytes).copyMemory(from: start, byteCount: pixelBytes)
      (end + pixel * pixelBytes).copyMemory(from: end - pixelBytes, byteCount: pixelBytes)
    }
  }

  private func filterMixedRow(
    _ filters: ResamplingMethod.Filters, to target: UnsafeMutableRawPointer
  ) {
    rows.inputs[0] = UnsafeRawPointer(mixedRow)
    rows.outputs[0] = target
    filters.along(alongArguments(filters, rowCount: 1))
  }

  private func acrossArguments(
    _ filters: ResamplingMethod.Filters, _ y: Int, to target: UnsafeMutableRawPointer,
    _ length: Int
  ) -> VerticalFilterArguments {
    VerticalFilterArguments(
      rows: taps, output: target, count: length * channels,
      weights: filters.rows.weights + y * filters.rows.weightStride, taps: filters.rows.taps,
      scale: filters.scale, offset: filters.offset)
  }

  private func alongArguments(
    _ filters: ResamplingMethod.Filters, rowCount: Int
  ) -> HorizontalFilterArguments {
    HorizontalFilterArguments(
      inputs: rows.inputs, outputs: rows.outputs, rowCount: rowCount, count: resultLength,
      channels: channels, firsts: filters.columns.firsts, weights: filters.columns.weights,
      taps: filters.columns.taps)
  }
}
