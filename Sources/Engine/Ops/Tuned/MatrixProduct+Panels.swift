import OcellusKernelABI

extension MatrixProduct {
  /// A step in any arithmetic that needs nothing beside the tensors.
  func panelStep(
    _ panels: some PanelArithmetic, _ constants: ConstantWeights, _ context: PlanContext
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
    return Step(
      kernelName: "matrix product \(panels.name) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, tileCount: grid.count
    ) { step, part in
      let (input, output) = (step.input(0), step.output(0))
      let (rows, columns) = grid[part]
      for group in 0..<groupCount {
        panels.run(
          PanelBlock(
            patches: patches, input: input + group * patches.channels * panels.inputBytes,
            packed: packed.base + group * groupBytes,
            output: output + group * columnCount * panels.outputBytes,
            outputStride: outputChannels, rows: rows, columns: columns,
            scratch: step.scratch + part * scratchBytes))
      }
    }
  }
}
