import OcellusKernelABI

extension MatrixMultiplication {
  /// Returns a step that rounds float inputs to `int8`, each item of the batch by its own range,
  /// and multiplies them by quantized weights.
  func hybridStep(
    _ hybrid: HybridWeights, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let chosen = context.chooseQuantizedGEMM(
      byteProblem(HybridPanels.weightFormat, rows: .preferred, results: .floats),
      times: groupCount)
    let panels = HybridPanels(kernel: chosen.kernel, weights: hybrid, bias: constants.floatBias)
    let groupBytes =
      ArenaPlanner.aligned(panels.packedByteCount(columns: columnCount, patches))
    let packedBytes = saturatingProduct(groupBytes, groupCount)
    guard packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights(
      "gemm \(panels.name), \(chosen.choice.name)",
      layout: [
        groupCount, patches.depth, patches.windowHeight, hybrid.scales.count,
        constants.transposition.rawValue,
      ],
      decidedBy: [1, 2], byteCount: packedBytes
    ) { packed in
      constants.withWeightBytes { weights in
        for group in 0..<groupCount {
          let channels = group * columnCount..<(group + 1) * columnCount
          panels.pack(
            weights + channels.lowerBound * patches.depth, channels: Array(channels), patches,
            to: packed + group * groupBytes)
        }
      }
    }
    let source = DynamicallyQuantizedInput(
      itemCount: itemCount, elementsPerItem: elementsPerItem,
      rounding: hybrid.rounding, padding: padding,
      makesUnsigned: !chosen.kernel.prefersSignedRows, context)
    // The value of the padding depends on the rounding of an item, so items of more than one row
    // are computed one by one.
    let rowsPerItem = rowCount / itemCount
    let rowsPerRun = rowsPerItem == 1 ? rowCount : rowsPerItem
    let grid = grid(
      tileRows: panels.tileRows(patches), panelColumns: panels.panelColumns,
      threadCount: context.threadCount, rows: rowsPerRun)
    let scratchBytes = panels.scratchByteCount(patches)
    typealias Run = (step: StepContext, rounded: DynamicallyQuantizedInput.Items, firstRow: Int)
    typealias Multiplication =
      @Sendable (
        Run, _ rows: Range<Int>, _ columns: Range<Int>, _ scratch: UnsafeMutableRawPointer
      ) -> Void
    let multiply: Multiplication = { run, rows, columns, scratch in
      let item = run.firstRow / rowsPerItem
      let input = run.rounded.bytes + item * elementsPerItem
      let output = run.step.output(0) + run.firstRow * outputChannels * 4
      for group in 0..<groupCount {
        if group % 16 == 15, run.step.workers.isOver { return }
        panels.run(
          PanelBlock(
            patches: patches, input: input + group * patches.channels,
            packed: packed.base + group * groupBytes, output: output + group * columnCount * 4,
            outputStride: outputChannels, rows: rows, columns: columns,
            epilogue: PanelRounding(
              rows: run.rounded.rows + item, stride: rowsPerItem == 1 ? 1 : 0),
            scratch: scratch))
      }
    }
    let loop = WorkItemLoop<Run> { run, workItem in
      let scratch = run.step.scratch + source.scratchByteCount + workItem * scratchBytes
      grid.forEachBlock(of: workItem, run.step.workers) { rows, columns in
        multiply(run, rows, columns, scratch)
      }
    }
    var step = Step(
      kernelName: "gemm \(panels.name) \(context.kernels.name)", strategy: chosen.choice,
      scratchByteCount: source.scratchByteCount + scratchBytes * grid.count
    ) { step in
      let rounded = source.round(step.input(0), scratch: step.scratch, workers: step.workers)
      for firstRow in stride(from: 0, to: rowCount, by: rowsPerRun) {
        if firstRow > 0, step.workers.isOver { return }
        step.workers.run(grid.count, loop, (step, rounded, firstRow))
      }
    }
    if itemCount == 1 {
      let rounding = ElementwiseWork.Preparation(byteCount: source.scratchByteCount) { step in
        _ = source.round(step.input(0), scratch: step.scratch, workers: step.workers)
      }
      step.elementwise = work(
        panels, packedBytes: packedBytes, context, after: rounding
      ) { step, rows, columns, scratch in
        multiply((step, source.items(in: step.scratch), 0), rows, columns, scratch)
      }
    }
    return step
  }
}
