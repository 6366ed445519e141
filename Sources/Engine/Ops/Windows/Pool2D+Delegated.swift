import OcellusKernelABI

/// AVERAGE_POOL_2D of floats as in XNNPACK: nine taps at a time, in a tree of additions, column by
/// column, and times the reciprocal of the number of pixels.
struct DelegatedAveragePool: Sendable {
  let geometry: WindowGeometry
  let range: ClosedRange<Float>
  let imageCount: Int
  let channels: Int

  /// The most additions of one block of rows, which cannot be stopped.
  private static let maximumBlockWork = 1 << 24

  private var rowCount: Int { imageCount * geometry.rows.outputExtent }

  /// The greatest number of pixels in a window.
  private var tapCount: Int {
    let (rows, columns) = (geometry.rows, geometry.columns)
    return min(rows.tapCount, rows.inputExtent) * min(columns.tapCount, columns.inputExtent)
  }

  /// - Returns: `nil` for rows that take so long that only the reference loops can be stopped in
  ///   time.
  func step(_ context: PlanContext) -> Step? {
    let rowWork = saturatingProduct(geometry.columns.outputExtent, channels, tapCount)
    guard rowWork <= 8 * Self.maximumBlockWork else { return nil }
    let grid = WorkItemGrid(
      rows: rowCount, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(rowCount, rowWork), threadCount: context.threadCount,
      maximumBlockWork: Self.maximumBlockWork)
    let zeroBytes = ArenaPlanner.aligned(channels * 4)
    return Step(
      kernelName: "average pool float32", scratchByteCount: zeroBytes * grid.count,
      itemCount: grid.count
    ) { step, item in
      let zeros = (step.scratch + item * zeroBytes).assumingMemoryBound(to: Float.self)
      zeros.update(repeating: 0, count: channels)
      grid.forEachBlock(of: item, step.workers) { rows, _ in
        run(
          rows, step.input(0).assumingMemoryBound(to: Float.self),
          step.output(0).assumingMemoryBound(to: Float.self), zeros: zeros, nil)
      }
    }
  }

  func run(_ context: RunContext) throws(ModelError) {
    let (inputs, outputs) = (
      context.input(0).values(Float.self), context.output(0).values(Float.self)
    )
    try context.withScratch(Float.self, count: channels) { zeros in
      zeros.update(repeating: 0, context.control)
      guard let source = inputs.baseAddress, let target = outputs.baseAddress,
        let zeros = zeros.baseAddress
      else { return }
      run(0..<rowCount, source, target, zeros: zeros, context.control)
    }
  }

  /// Computes some rows of the output, counted over all images.
  private func run(
    _ rows: Range<Int>, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
    zeros: UnsafePointer<Float>, _ control: RunControl?
  ) {
    let (height, width) = (geometry.rows.outputExtent, geometry.columns.outputExtent)
    let imageLength = geometry.rows.inputExtent * geometry.columns.inputExtent * channels
    var question = StoppableWork(control)
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: NineTaps.count) {
      guard let pixels = $0.baseAddress else { return }
      var taps = NineTaps(pixels: pixels, zeros: zeros, channels: channels)
      for row in rows {
        let (image, y) = row.quotientAndRemainder(dividingBy: height)
        for column in 0..<width {
          let results = target + (row * width + column) * channels
          average(source + image * imageLength, y, column, &taps, to: results, &question)
          if question.isOver() { return }
        }
      }
    }
  }

  /// Computes the channels of one window.
  private func average(
    _ image: UnsafePointer<Float>, _ row: Int, _ column: Int, _ taps: inout NineTaps,
    to results: UnsafeMutablePointer<Float>, _ question: inout StoppableWork
  ) {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (rowTaps, columnTaps) = (rows.taps(at: row), columns.taps(at: column))
    let rowLength = columns.inputExtent * channels
    results.update(repeating: 0, count: channels)
    taps.clear()
    // Taps outside the image are zeros, and groups of them change no sum.
    var currentGroup = 0
    for columnTap in columnTaps {
      var (group, place) = (columnTap &* rows.tapCount &+ rowTaps.lowerBound).quotientAndRemainder(
        dividingBy: NineTaps.count)
      var pixel =
        image + (rows.origin(of: row) + rowTaps.lowerBound) * rowLength
        + (columns.origin(of: column) + columnTap) * channels
      for _ in rowTaps {
        if place == NineTaps.count { (group, place) = (group &+ 1, 0) }
        if group != currentGroup {
          taps.add(to: results)
          currentGroup = group
          if question.isOver(after: channels + NineTaps.count) { return }
        }
        taps.pixels[place] = pixel
        place &+= 1
        pixel += rowLength
      }
    }
    taps.add(to: results)
    let factor = 1 / Float(rowTaps.count * columnTaps.count)
    for channel in 0..<channels {
      results[channel] = (results[channel] * factor).clamped(to: range)
    }
  }
}

/// Nine pixels that are added in a tree.
private struct NineTaps {
  static let count = 9

  let pixels: UnsafeMutablePointer<UnsafePointer<Float>>
  /// A pixel of zeros.
  let zeros: UnsafePointer<Float>
  let channels: Int

  func clear() { pixels.update(repeating: zeros, count: Self.count) }

  /// Adds the pixels to sums, and begins anew.
  func add(to sums: UnsafeMutablePointer<Float>) {
    var channel = 0
    while channel &+ 8 <= channels {
      let eight = UnsafeMutableRawPointer(sums + channel)
      let sum = eight.loadUnaligned(as: SIMD8<Float>.self) + total(ofEightFrom: channel)
      eight.storeBytes(of: sum, as: SIMD8<Float>.self)
      channel &+= 8
    }
    while channel < channels {
      sums[channel] += total(of: channel)
      channel &+= 1
    }
    clear()
  }

  @inline(__always)
  private func total(of channel: Int) -> Float {
    let outer = pixels[0][channel] + pixels[1][channel] + pixels[8][channel]
    let middle =
      (pixels[2][channel] + pixels[3][channel]) + (pixels[4][channel] + pixels[5][channel])
    return middle + (outer + (pixels[6][channel] + pixels[7][channel]))
  }

  @inline(__always)
  private func total(ofEightFrom channel: Int) -> SIMD8<Float> {
    func eight(_ tap: Int) -> SIMD8<Float> {
      UnsafeRawPointer(pixels[tap] + channel).loadUnaligned(as: SIMD8<Float>.self)
    }
    let outer = eight(0) + eight(1) + eight(8)
    let middle = (eight(2) + eight(3)) + (eight(4) + eight(5))
    return middle + (outer + (eight(6) + eight(7)))
  }
}
