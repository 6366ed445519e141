import OcellusKernelABI

/// A pool over the windows of images, as kernels compute it.
struct WindowPool: Sendable {
  var windows: PatchGeometry
  var imageCount: Int
  var range: ClosedRange<Float>
  var kernel: Pooling.Kernel
  /// Whether the second result is the place of each maximum.
  var hasPlaces = false

  init(
    _ geometry: WindowGeometry, over images: Shape, range: ClosedRange<Float>,
    kernel: @escaping Pooling.Kernel
  ) {
    windows = PatchGeometry(geometry, channels: images[3], pixelStride: images[3]).alongLine
    imageCount = images[0]
    self.range = range
    self.kernel = kernel
  }

  /// The step, whose lines are shared by threads where that pays.
  func step(_ kind: String, _ context: PlanContext) -> Step {
    let lineCount = imageCount * windows.outputHeight
    let taps = min(windows.windowHeight, windows.inputHeight) * windows.windowWidth
    let grid = PartGrid(
      rows: lineCount, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(context.outputShapes[0].elementCount, taps),
      threadCount: context.threadCount)
    let scratchBytes = ArenaPlanner.aligned(context.kernels.pooling.scratchByteCount)
    let type = context.node.outputs[0].type.name
    return Step(
      kernelName: "\(kind) \(type) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, partCount: grid.count
    ) { step, part in
      kernel(
        PoolingArguments(
          windows: windows, input: step.input(0), imageCount: imageCount, output: step.output(0),
          places: hasPlaces ? step.output(1) : nil, lines: grid[part].rows,
          lowerBound: range.lowerBound, upperBound: range.upperBound,
          scratch: step.scratch + part * scratchBytes))
    }
  }
}
