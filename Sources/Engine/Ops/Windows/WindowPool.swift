import OcellusKernelABI

/// A pool over the windows of images, computed by kernels.
struct WindowPool: Sendable {
  /// The most elements that a kernel call reads: results times taps.
  private static let maximumBlockWork = 1 << 24

  var windows: PatchGeometry
  var imageCount: Int
  var range: ClosedRange<Float>
  var kernel: Pooling.Kernel
  /// Whether the second result is the index of the tap of each maximum.
  var returnsArgmax = false

  init(
    _ geometry: WindowGeometry, over images: Shape, range: ClosedRange<Float>,
    kernel: @escaping Pooling.Kernel
  ) {
    windows = PatchGeometry(geometry, channels: images[3], pixelStride: images[3]).asSingleRow
    imageCount = images[0]
    self.range = range
    self.kernel = kernel
  }

  /// Returns the step, whose rows are divided among the threads where that pays.
  ///
  /// - Returns: `nil` for rows that take so long that only the reference loops can be stopped in
  ///   time.
  func step(_ kind: String, _ context: PlanContext) -> Step? {
    guard hasStoppableRows else { return nil }
    let grid = grid(context)
    let scratchBytes = ArenaPlanner.aligned(context.kernels.pooling.scratchByteCount)
    let type = context.node.outputs[0].type.name
    return Step(
      kernelName: "\(kind) \(type) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, itemCount: grid.count
    ) { step, item in
      grid.forEachBlock(of: item, step.workers) { rows, _ in
        run(rows, step.input(0), step, scratch: step.scratch + item * scratchBytes)
      }
    }
  }

  /// Returns the step of a root mean square pool: squares, their means, and the square roots.
  func rootMeanSquareStep(_ context: PlanContext) -> Step? {
    guard hasStoppableRows else { return nil }
    let grid = grid(context)
    let scratchBytes = ArenaPlanner.aligned(context.kernels.pooling.scratchByteCount)
    let rowLength = windows.outputWidth * windows.channels
    let squareCount = imageCount * windows.inputHeight * windows.inputWidth * windows.channels
    let squareBytes = ArenaPlanner.aligned(squareCount * 4)
    let mapFloats = context.kernels.elementwise.mappedFloats
    let range = FloatRange(lowerBound: range.lowerBound, upperBound: range.upperBound)
    var means = self
    means.range = -Float.infinity...Float.infinity
    let loop = WorkItemLoop<StepContext> { [means] step, item in
      grid.forEachBlock(of: item, step.workers) { rows, _ in
        means.run(
          rows, step.scratch, step, scratch: step.scratch + squareBytes + item * scratchBytes)
        let results = step.output(0) + rows.lowerBound * rowLength * 4
        let row = ElementRow(input: results, output: results, count: rows.count * rowLength)
        mapFloats(.squareRoot, row)
        mapFloats(.clamp(range), row)
      }
    }
    return Step(
      kernelName: "root mean square pool float32 \(context.kernels.name)",
      scratchByteCount: squareBytes + scratchBytes * grid.count
    ) { step in
      step.workers.forEachSlice(of: 0..<squareCount, length: Step.longestSlice) { slice in
        let start = slice.lowerBound * 4
        mapFloats(
          .square,
          ElementRow(
            input: step.input(0) + start, output: step.scratch + start, count: slice.count))
      }
      step.workers.run(grid.count, loop, step)
    }
  }

  /// The greatest number of pixels in a window.
  private var taps: Int { min(windows.windowHeight, windows.inputHeight) * windows.windowWidth }

  private var hasStoppableRows: Bool {
    saturatingProduct(windows.outputWidth, windows.channels, taps) <= 8 * Self.maximumBlockWork
  }

  private func grid(_ context: PlanContext) -> WorkItemGrid {
    WorkItemGrid(
      rows: imageCount * windows.outputHeight, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(context.outputShapes[0].elementCount, taps),
      threadCount: context.threadCount, maximumBlockWork: Self.maximumBlockWork)
  }

  private func run(
    _ rows: Range<Int>, _ input: UnsafeRawPointer, _ step: StepContext,
    scratch: UnsafeMutableRawPointer
  ) {
    kernel(
      PoolingArguments(
        windows: windows, input: input, imageCount: imageCount, output: step.output(0),
        indices: returnsArgmax ? step.output(1) : nil, rows: rows, lowerBound: range.lowerBound,
        upperBound: range.upperBound, scratch: scratch))
  }
}
