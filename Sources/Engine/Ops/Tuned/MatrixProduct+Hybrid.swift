import OcellusKernelABI

extension MatrixProduct {
  /// Float inputs that are rounded to `int8` for each item of the batch, times quantized weights:
  /// the products are summed up by the quantized kernel and then scaled.
  func hybridStep(
    _ hybrid: HybridWeights, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    guard groupCount == 1 else { return nil }
    let kernel = context.kernels.quantizedGEMM
    let packedBytes = kernel.packedByteCount(outputChannels, patches.depth)
    guard packedBytes / 64 <= constants.weights.bytes.count + 1024 else { return nil }
    let packed = context.packedWeights("hybrid matrix product") {
      packHybrid(constants, kernel, byteCount: packedBytes)
    }
    let grid = grid(
      tileRows: kernel.tileRows, panelColumns: kernel.panelColumns,
      threadCount: context.threadCount, rows: rowsPerRun)
    let product = HybridProduct(
      product: self, hybrid: hybrid, kernel: kernel, grid: grid, packed: packed,
      columnSums: packedBytes, bias: constants.bias.map { Array($0.values(Float.self)) } ?? [])
    return Step(
      kernelName: "matrix product float32×int8 \(context.kernels.name)",
      scratchByteCount: product.scratchByteCount
    ) { step in
      product.run(step)
    }
  }

  /// Where windows leave the input, the padding depends on how an item was rounded, and items are
  /// computed one by one.
  fileprivate var rowsPerRun: Int { patches.mayLeaveInput ? rowsPerItem : rowCount }

  fileprivate var rowsPerItem: Int { rowCount / itemCount }

  /// Packs the weights for plain sums, and behind them the sum of each column's weights.
  private func packHybrid(
    _ constants: ConstantWeights, _ kernel: QuantizedGEMM, byteCount: Int
  ) -> PackedBlock {
    let block = PackedBlock(byteCount: byteCount + outputChannels * 4)
    let format = QuantizedFormat(isSigned: true, zeroPoint: 0)
    let sums = (block.base + byteCount).assumingMemoryBound(to: Int32.self)
    constants.withWeightBytes { weights in
      kernel.pack(
        QuantizedPackingArguments(
          filter: weights, filterFormat: format, inputFormat: format, bias: nil,
          requantization: .sums, columns: outputChannels, depth: patches.depth,
          packed: block.base))
      for column in 0..<outputChannels {
        for element in 0..<patches.depth {
          let weight = weights.load(
            fromByteOffset: column * patches.depth + element, as: Int8.self)
          sums[column] &+= Int32(weight)
        }
      }
    }
    return block
  }
}

/// One run of a hybrid product.
private struct HybridProduct {
  let product: MatrixProduct
  let hybrid: HybridWeights
  let kernel: QuantizedGEMM
  let grid: TileGrid
  let packed: PackedBlock
  /// Where in `packed` the sums of each column's weights are.
  let columnSums: Int
  let bias: [Float]

  // Scratch memory: how the items were rounded, the rounded items, and the kernel's own.

  private var roundedOffset: Int {
    roundUp(product.itemCount * MemoryLayout<HybridQuantization>.stride)
  }
  private var kernelOffset: Int {
    roundedOffset + roundUp(product.itemCount * product.elementsPerItem)
  }
  var scratchByteCount: Int {
    kernelOffset + kernel.scratchByteCount(product.patches) * grid.count
  }

  private func roundUp(_ byteCount: Int) -> Int { (byteCount + 63) / 64 * 64 }

  func run(_ step: StepContext) {
    let items = step.scratch.assumingMemoryBound(to: HybridQuantization.self)
    let input = step.input(0).assumingMemoryBound(to: Float.self)
    let rounded = (step.scratch + roundedOffset).assumingMemoryBound(to: Int8.self)
    let count = product.elementsPerItem
    step.workers.run(product.itemCount) { item in
      let values = UnsafeBufferPointer(start: input + item * count, count: count)
      let integers = UnsafeMutableBufferPointer(start: rounded + item * count, count: count)
      items[item] =
        hybrid.roundsAsymmetrically
        ? .asymmetric(values, to: integers) : .symmetric(values, to: integers)
    }
    for firstRow in stride(from: 0, to: product.rowCount, by: grid.rowCount) {
      let firstItem = firstRow / product.rowsPerItem
      multiply(step, rounded + firstItem * count, firstRow: firstRow, items + firstItem)
    }
  }

  /// Computes the rows that belong together, sums in place of results and then these.
  private func multiply(
    _ step: StepContext, _ rounded: UnsafePointer<Int8>, firstRow: Int,
    _ items: UnsafePointer<HybridQuantization>
  ) {
    let scratchBytes = kernel.scratchByteCount(product.patches)
    let results = step.output(0) + firstRow * product.outputChannels * 4
    let format = QuantizedFormat(isSigned: true, zeroPoint: Int32(items[0].zeroPoint))
    step.workers.run(grid.count) { part in
      let (rows, columns) = grid[part]
      kernel.run(
        QuantizedGEMMArguments(
          patches: product.patches, input: rounded, inputFormat: format, packed: packed.base,
          output: results, outputStride: product.outputChannels, rows: rows, columns: columns,
          range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
          scratch: step.scratch + kernelOffset + part * scratchBytes))
      for row in rows {
        scale(results, row: row, columns: columns, items[row / product.rowsPerItem])
      }
    }
  }

  /// Turns a row of sums into floats, where they are.
  private func scale(
    _ results: UnsafeMutableRawPointer, row: Int, columns: Range<Int>,
    _ item: HybridQuantization
  ) {
    let sums = results.assumingMemoryBound(to: Int32.self) + row * product.outputChannels
    let floats = UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Float.self)
    let weightSums = (packed.base + columnSums).assumingMemoryBound(to: Int32.self)
    let zeroPoint = Int32(item.zeroPoint)
    hybrid.scales.withUnsafeBufferPointer { scales in
      bias.withUnsafeBufferPointer { bias in
        let stage = HybridStage(
          inputScale: item.scale, weightScales: scales, bias: bias, range: hybrid.range)
        for column in columns {
          let sum = sums[column] &- zeroPoint &* weightSums[column]
          floats[column] = stage.output(sum, channel: column)
        }
      }
    }
  }
}
