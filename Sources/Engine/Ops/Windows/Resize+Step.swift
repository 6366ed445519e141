import OcellusKernelABI

extension Resize {
  /// The largest sum of height and width for which tables are made; only damaged files exceed it.
  static let maximumTableLength = 1 << 20
  /// The longest row for kernels, which cannot be stopped within a row; longer rows take the
  /// reference loops.
  static let longestRow = 1 << 24

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    if isDelegated { return try delegatedStep(context) }
    guard let input = context.inputShapes[0], let kernel = kernel(context) else { return nil }
    let output = context.outputShapes[0]
    let type = context.node.outputs[0].type
    let elementWidth = type.byteWidth ?? 1
    let (height, width) = (output[1], output[2])
    guard height + width <= Self.maximumTableLength,
      saturatingProduct(max(width, input[2]), input[3]) <= Self.longestRow
    else { return nil }
    let positions = try context.makeTable(
      byteCount: (height + width) * MemoryLayout<PixelPosition>.stride)
    let rows = positions.base.bindMemory(to: PixelPosition.self, capacity: height + width)
    for y in 0..<height { rows[y] = pixelPosition(y, from: input[1], to: height, type) }
    for x in 0..<width { rows[height + x] = pixelPosition(x, from: input[2], to: width, type) }

    let resampling = context.kernels.resampling
    let isCopy = interpolation == .nearestNeighbor
    let scratchBytes =
      isCopy
      ? 0 : resampling.scratchByteCount(input[2] * input[3], saturatingProduct(width, input[3]))
    let grid = WorkItemGrid(
      rows: output[0] * height, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: output.elementCount, threadCount: context.threadCount,
      maximumBlockWork: Step.longestSlice)
    return Step(
      kernelName: "\(isCopy ? "nearest" : "bilinear") \(type.name) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, itemCount: grid.count
    ) { step, item in
      let rows = positions.base.assumingMemoryBound(to: PixelPosition.self)
      let (source, target) = (step.input(0), step.output(0))
      grid.forEachBlock(of: item, step.workers) { block, _ in
        var row = block.lowerBound
        while row < block.upperBound {
          let (image, y) = row.quotientAndRemainder(dividingBy: height)
          let count = min(height - y, block.upperBound - row)
          kernel(
            ResamplingArguments(
              input: source + image * input[1] * input[2] * input[3] * elementWidth,
              output: target + row * width * input[3] * elementWidth,
              rows: rows + y, rowCount: count, columns: rows + height, columnCount: width,
              inputWidth: input[2], channels: isCopy ? input[3] * elementWidth : input[3],
              scratch: step.scratch + item * scratchBytes))
          row += count
        }
      }
    }
  }

  private func kernel(_ context: PlanContext) -> Resampling.Kernel? {
    let resampling = context.kernels.resampling
    if interpolation == .nearestNeighbor { return resampling.nearest }
    switch context.node.outputs[0].type {
    case .float32: return resampling.bilinearFloat
    case .uint8: return resampling.bilinearUInt8
    case .int8: return resampling.bilinearInt8
    case .int16: return resampling.bilinearInt16
    default: return nil
    }
  }

  private func pixelPosition(
    _ position: Int, from inputExtent: Int, to outputExtent: Int, _ type: ElementType
  ) -> PixelPosition {
    if interpolation == .nearestNeighbor {
      let nearest = Int32(nearest(position, from: inputExtent, to: outputExtent))
      return PixelPosition(lower: nearest, upper: nearest)
    }
    if type == .int8 || type == .int16 {
      let neighbors = fixedPointNeighbors(position, inputExtent, outputExtent)
      return PixelPosition(
        lower: Int32(neighbors.lower), upper: Int32(neighbors.upper),
        lowerWeight: Int32((1 << 10) - neighbors.fraction),
        upperWeight: Int32(neighbors.fraction))
    }
    let neighbors = floatNeighbors(position, inputExtent, outputExtent)
    return PixelPosition(
      lower: Int32(neighbors.lower), upper: Int32(neighbors.upper),
      lowerWeight: Int32(bitPattern: (1 - neighbors.fraction).bitPattern),
      upperWeight: Int32(bitPattern: neighbors.fraction.bitPattern))
  }
}
