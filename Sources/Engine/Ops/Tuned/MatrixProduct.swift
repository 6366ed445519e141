import OcellusKernelABI

/// A product of patches of the input and constant weights, on the tuned kernels: what CONV_2D and
/// FULLY_CONNECTED are planned as.
struct MatrixProduct {
  /// The patches of one group.
  let patches: PatchGeometry
  /// The output pixels of all items of the batch.
  let rowCount: Int
  /// The items of the batch, each of which a hybrid product rounds by itself.
  let itemCount: Int
  /// The inputs of one item.
  let elementsPerItem: Int
  let outputChannels: Int
  /// The parts into which channels of input and output are divided.
  let groupCount: Int

  private var columnCount: Int { outputChannels / groupCount }

  /// A step in the arithmetic that the node asks for, or `nil` if there is no kernel for it.
  func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard let constants = ConstantWeights(context) else { return nil }
    switch arithmetic {
    case .float(let range):
      return floatStep(range, constants, context)
    case .quantized(let requantization):
      if let wide = Int16Arithmetic(
        requantization, constants, context, channels: outputChannels)
      {
        let panels = Int16Panels(kernel: context.kernels.int16GEMM, arithmetic: wide)
        return panelStep(panels, constants, context)
      }
      guard
        let arithmetic = QuantizedArithmetic(requantization, context, channels: outputChannels)
      else { return nil }
      return quantizedStep(arithmetic, constants, context)
    case .hybrid(let hybrid):
      return hybridStep(hybrid, constants, context)
    case .plainIntegers:
      return nil
    }
  }

  /// How threads share the rows of one group, or some of them.
  func grid(
    tileRows: Int, panelColumns: Int, threadCount: Int, rows: Int? = nil
  ) -> TileGrid {
    let rows = rows ?? rowCount
    return TileGrid(
      rows: rows, multipleOf: tileRows, columns: columnCount, multipleOf: panelColumns,
      multiplyAdds: saturatingProduct(rows, patches.depth, outputChannels),
      threadCount: threadCount)
  }

  /// The size of the packed weights of all groups, unless the panels would be mostly padding.
  private func packedByteCount(perGroup: Int, weights: TensorView) -> Int? {
    let (total, overflow) = perGroup.multipliedReportingOverflow(by: groupCount)
    return overflow || total / 64 > weights.bytes.count + 1024 ? nil : total
  }

  // MARK: Floats

  private func floatStep(
    _ range: ClosedRange<Float>, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let kernel = context.kernels.floatGEMM
    let groupBytes = kernel.packedByteCount(columnCount, patches.depth)
    guard let packedBytes = packedByteCount(perGroup: groupBytes, weights: constants.weights),
      !patches.mayLeaveInput || constants.areFinite
    else { return nil }
    let packed = context.packedWeights("matrix product") {
      let block = PackedBlock(byteCount: packedBytes)
      constants.withFloats { weights, bias in
        for group in 0..<groupCount {
          kernel.pack(
            FloatPackingArguments(
              filter: weights + group * columnCount * patches.depth,
              bias: bias.map { $0 + group * columnCount }, columns: columnCount,
              depth: patches.depth, packed: block.base + group * groupBytes))
        }
      }
      return block
    }
    let grid = grid(
      tileRows: kernel.tileRows, panelColumns: kernel.panelColumns,
      threadCount: context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    let roundsProducts = context.wantsReferenceBits
    return Step(
      kernelName: "matrix product float32 \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count
    ) { step in
      let input = step.input(0).assumingMemoryBound(to: Float.self)
      let output = step.output(0).assumingMemoryBound(to: Float.self)
      step.workers.run(grid.count) { part in
        let (rows, columns) = grid[part]
        for group in 0..<groupCount {
          kernel.run(
            FloatGEMMArguments(
              patches: patches, input: input + group * patches.channels,
              packed: packed.base + group * groupBytes, output: output + group * columnCount,
              outputStride: outputChannels, rows: rows, columns: columns,
              minimum: range.lowerBound, maximum: range.upperBound,
              roundsProducts: roundsProducts, scratch: step.scratch + part * scratchBytes))
        }
      }
    }
  }

  // MARK: Quantized numbers

  private func quantizedStep(
    _ arithmetic: QuantizedArithmetic, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let kernel = context.kernels.quantizedGEMM
    let groupBytes = kernel.packedByteCount(columnCount, patches.depth)
    guard let packedBytes = packedByteCount(perGroup: groupBytes, weights: constants.weights)
    else { return nil }
    let packed = context.packedWeights("matrix product") {
      let block = PackedBlock(byteCount: packedBytes)
      constants.withBytes { weights, bias in
        for group in 0..<groupCount {
          arithmetic.withMultipliers(from: group * columnCount) { multipliers in
            kernel.pack(
              QuantizedPackingArguments(
                filter: weights + group * columnCount * patches.depth,
                filterFormat: arithmetic.filter, inputFormat: arithmetic.input,
                bias: bias.map { $0 + group * columnCount }, requantization: multipliers,
                columns: columnCount, depth: patches.depth,
                packed: block.base + group * groupBytes))
          }
        }
      }
      return block
    }
    let grid = grid(
      tileRows: kernel.tileRows, panelColumns: kernel.panelColumns,
      threadCount: context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    return Step(
      kernelName: "matrix product \(context.node.outputs[0].type.name) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count
    ) { step in
      let (input, output) = (step.input(0), step.output(0))
      step.workers.run(grid.count) { part in
        let (rows, columns) = grid[part]
        for group in 0..<groupCount {
          kernel.run(
            QuantizedGEMMArguments(
              patches: patches, input: input + group * patches.channels,
              inputFormat: arithmetic.input, packed: packed.base + group * groupBytes,
              output: output + group * columnCount, outputStride: outputChannels, rows: rows,
              columns: columns, range: arithmetic.range,
              scratch: step.scratch + part * scratchBytes))
        }
      }
    }
  }
}
