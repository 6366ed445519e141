import OcellusKernelABI

/// GEMM of float rows, rounded at run time, with 4-bit weights that have a scale for every block.
struct BlockwiseMatrixMultiplication {
  let weights: BlockwiseWeights
  let rowCount: Int
  let depth: Int
  let outputChannels: Int

  func step(_ context: PlanContext) -> Step? {
    guard let constants = ConstantWeights(context) else { return nil }
    let kernel = context.kernels.blockwiseGEMM
    let shape = BlockwiseShape(
      columns: outputChannels, blocks: depth / weights.blockSize, blockSize: weights.blockSize)
    let packedBytes = kernel.packedByteCount(shape)
    guard packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights("blockwise product", byteCount: packedBytes) {
      pack(constants, kernel, shape, to: $0)
    }
    let source = DynamicallyQuantizedInput(
      itemCount: rowCount, elementsPerItem: depth, rounding: .asymmetric, context)
    let grid = WorkItemGrid(
      rows: 1, multipleOf: 1, columns: outputChannels, multipleOf: kernel.panelColumns,
      multiplyAdds: saturatingProduct(rowCount, depth, outputChannels),
      threadCount: context.threadCount)
    // 64 is a multiple of any number of rows that a kernel computes at once.
    let rowsPerCall = WorkItemGrid.rowsPerCall(
      depth: depth, columns: outputChannels, multipleOf: 64)
    let scratchBytes = kernel.scratchByteCount(shape)
    let loop = WorkItemLoop<(step: StepContext, rounded: DynamicallyQuantizedInput.Items)> {
      run, item in
      let output = run.step.output(0).assumingMemoryBound(to: Float.self)
      run.step.workers.forEachSlice(of: 0..<rowCount, length: rowsPerCall) { rows in
        let first = rows.lowerBound
        kernel.run(
          BlockwiseArguments(
            shape: shape,
            input: (run.rounded.bytes + first * depth).assumingMemoryBound(to: Int8.self),
            roundings: run.rounded.rows + first, rows: rows.count, packed: packed.base,
            output: output + first * outputChannels, columns: grid[item].columns,
            scratch: run.step.scratch + source.scratchByteCount + item * scratchBytes))
      }
    }
    return Step(
      kernelName: "gemm float32×int4 \(context.kernels.name)",
      scratchByteCount: source.scratchByteCount + scratchBytes * grid.count
    ) { step in
      let rounded = source.round(step.input(0), scratch: step.scratch, workers: step.workers)
      step.workers.run(grid.count, loop, (step, rounded))
    }
  }

  private func pack(
    _ constants: ConstantWeights, _ kernel: BlockwiseGEMM, _ shape: BlockwiseShape,
    to packed: UnsafeMutableRawPointer
  ) {
    let bias = constants.floatBias
    constants.withWeightBytes { bytes in
      (0..<weights.scales.count).map { weights.scales[$0] }.withUnsafeBufferPointer { scales in
        bias.withUnsafeBufferPointer { bias in
          guard let scales = scales.baseAddress else { return }
          kernel.pack(
            BlockwisePackingArguments(
              shape: shape, weights: bytes.assumingMemoryBound(to: Int8.self), scales: scales,
              bias: bias.isEmpty ? nil : bias.baseAddress, packed: packed))
        }
      }
    }
  }
}
