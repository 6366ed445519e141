import OcellusKernelABI

extension MatrixProduct {
  /// A step in any arithmetic that needs nothing beside the tensors.
  func panelStep<Panels: PanelArithmetic>(
    _ panels: Panels, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let groupBytes =
      (panels.packedByteCount(columns: columnCount, patches) + 63)
      / 64 * 64
    let (packedBytes, overflow) = groupBytes.multipliedReportingOverflow(by: groupCount)
    // Where the panels would be mostly padding, packing costs more than it saves.
    guard !overflow, packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights("matrix product", byteCount: packedBytes) { packed in
      constants.withWeightBytes { weights in
        for group in 0..<groupCount {
          let channels = group * columnCount..<(group + 1) * columnCount
          panels.pack(
            weights + channels.lowerBound * patches.depth * panels.weightBytes,
            channels: Array(channels), patches, to: packed + group * groupBytes)
        }
      }
    }
    let grid = grid(
      tileRows: panels.tileRows, panelColumns: panels.panelColumns,
      threadCount: context.threadCount)
    let scratchBytes = panels.scratchByteCount(patches)
    let product = PanelProduct(
      panels: panels, patches: patches, groupCount: groupCount, columnCount: columnCount,
      packed: packed, packedGroupBytes: groupBytes)
    var step = Step(
      kernelName: "matrix product \(panels.name) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, tileCount: grid.count
    ) { step, part in
      let (rows, columns) = grid[part]
      product.run(step, rows, columns, scratch: step.scratch + part * scratchBytes)
    }
    // Where weights stay in the cache, few rows at a time cost nothing.
    if packedBytes <= 1 << 16 {
      // Lines are copied for the windows of whole lines.
      let rows = patches.kernelHeight > 1 ? patches.outputWidth : panels.tileRows
      step.elementwise = work(
        unit: rows * outputChannels, resultBytes: panels.outputBytes,
        scratchByteCount: scratchBytes, context, product)
    }
    return step
  }

  /// The same some whole rows at a time, of results that are too large for the cache.
  private func work<Panels: PanelArithmetic>(
    unit: Int, resultBytes: Int, scratchByteCount: Int, _ context: PlanContext,
    _ product: PanelProduct<Panels>
  ) -> ElementwiseWork? {
    guard rowCount * outputChannels * resultBytes >= 1 << 18 else { return nil }
    return ElementwiseWork(
      elementCount: rowCount * outputChannels, unit: unit, resultBytes: resultBytes,
      operandBytes: context.node.inputs.map { _ in 0 }, scratchByteCount: scratchByteCount
    ) { step, elements in
      let rows = elements.lowerBound / outputChannels..<elements.upperBound / outputChannels
      product.run(step, rows, 0..<columnCount, scratch: step.scratch)
    }
  }
}

/// A matrix product for each group of channels, as a step finds it when it runs.
private struct PanelProduct<Panels: PanelArithmetic>: Sendable {
  let panels: Panels
  let patches: PatchGeometry
  let groupCount: Int
  /// The columns of each group.
  let columnCount: Int
  let packed: PackedBlock
  let packedGroupBytes: Int

  /// Computes some rows and columns of all groups.
  @inline(__always)
  func run(
    _ step: StepContext, _ rows: Range<Int>, _ columns: Range<Int>, scratch: UnsafeMutableRawPointer
  ) {
    let (input, output) = (step.input(0), step.output(0))
    for group in 0..<groupCount {
      panels.run(
        PanelBlock(
          patches: patches, input: input + group * patches.channels * panels.inputBytes,
          packed: packed.base + group * packedGroupBytes,
          output: output + group * columnCount * panels.outputBytes,
          outputStride: groupCount * columnCount, rows: rows, columns: columns, scratch: scratch))
    }
  }
}
