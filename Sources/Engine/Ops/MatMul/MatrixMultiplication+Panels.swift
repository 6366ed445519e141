import OcellusKernelABI

extension MatrixMultiplication {
  /// Returns a step in any arithmetic that needs no data besides the tensors.
  func panelStep(
    _ panels: some PanelArithmetic, as choice: StrategyChoice? = nil, _ constants: ConstantWeights,
    _ context: PlanContext
  ) -> Step? {
    let shared = groupCount == 1 ? panels.sharedPanels(columns: columnCount, patches) : nil
    let groupBytes = ArenaPlanner.aligned(
      shared?.unsharedByteCount ?? panels.packedByteCount(columns: columnCount, patches))
    let (packedBytes, overflow) = groupBytes.multipliedReportingOverflow(by: groupCount)
    // If the panels would be mostly padding, packing costs more than it saves.
    guard !overflow, packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    // Steps of unrolled networks multiply by the same weights, many of them with the same scales.
    let sharedBlock = shared.map { shared in
      context.packedWeights(
        "weights of rows \(panels.name)",
        layout: [columnCount, patches.depth, constants.transposition.rawValue], decidedBy: [1],
        byteCount: shared.byteCount
      ) { packed in constants.withWeightBytes { shared.pack($0, packed) } }
    }
    let packed = context.packedWeights(
      "gemm \(panels.name) of \(context.node.operatorName), \(choice?.name ?? "")",
      layout: [
        groupCount, patches.depth, patches.windowHeight, constants.transposition.rawValue,
      ] + context.scaleNumbers,
      decidedBy: [1, 2], pointingTo: sharedBlock, byteCount: packedBytes
    ) { packed in
      constants.withWeightBytes { weights in
        if let shared, let sharedBlock {
          return shared.packNodeData(weights, sharedBlock.base, packed)
        }
        for group in 0..<groupCount {
          let channels = group * columnCount..<(group + 1) * columnCount
          panels.pack(
            weights + channels.lowerBound * patches.depth * panels.weightBytes,
            channels: Array(channels), patches, to: packed + group * groupBytes)
        }
      }
    }
    let grid = grid(
      tileRows: panels.tileRows(patches), panelColumns: panels.panelColumns,
      threadCount: context.threadCount)
    let scratchBytes = panels.scratchByteCount(patches)
    let multiply: Multiplication = { step, rows, columns, scratch in
      let (input, output) = (step.input(0), step.output(0))
      for group in 0..<groupCount {
        if group % 16 == 15, step.workers.isOver { return }
        panels.run(
          PanelBlock(
            patches: patches, input: input + group * patches.channels * panels.inputBytes,
            packed: packed.base + group * groupBytes,
            output: output + group * columnCount * panels.outputBytes,
            outputStride: outputChannels, rows: rows, columns: columns, epilogue: nil,
            scratch: scratch))
      }
    }
    var step = Step(
      kernelName: "gemm \(panels.name) \(context.kernels.name)", strategy: choice,
      scratchByteCount: scratchBytes * grid.count, itemCount: grid.count
    ) { step, item in
      grid.forEachBlock(of: item, step.workers) { rows, columns in
        multiply(step, rows, columns, step.scratch + item * scratchBytes)
      }
    }
    step.elementwise = work(panels, packedBytes: packedBytes, context, multiply)
    return step
  }

  /// Computes some rows and columns of all groups.
  typealias Multiplication =
    @Sendable (
      StepContext, _ rows: Range<Int>, _ columns: Range<Int>, _ scratch: UnsafeMutableRawPointer
    ) -> Void

  /// Returns the multiplication as work on ranges of whole rows, for results that are too large for
  /// the cache.
  func work(
    _ panels: some PanelArithmetic, packedBytes: Int, _ context: PlanContext,
    after preparation: ElementwiseWork.Preparation? = nil, _ multiply: @escaping Multiplication
  ) -> ElementwiseWork? {
    // As long as weights stay in the cache, computing few rows at a time costs nothing.
    guard packedBytes <= 1 << 17, rowCount * outputChannels * panels.outputBytes >= 1 << 18 else {
      return nil
    }
    // Kernels copy input rows for the windows of whole output rows, so ranges contain whole output
    // rows.
    let tileRows = panels.tileRows(patches)
    let rows = patches.windowHeight > 1 ? max(patches.outputWidth, tileRows) : tileRows
    return ElementwiseWork(
      elementCount: rowCount * outputChannels, unit: rows * outputChannels,
      resultBytes: panels.outputBytes, operandBytes: context.node.inputs.map { _ in 0 },
      scratchByteCount: panels.scratchByteCount(patches), preparation: preparation
    ) { step, elements, scratch in
      let rows = elements.lowerBound / outputChannels..<elements.upperBound / outputChannels
      multiply(step, rows, 0..<columnCount, scratch)
    }
  }
}
