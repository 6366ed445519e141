import OcellusKernelABI

/// A depthwise convolution with constant weights, on the tuned kernels, which know one filter a
/// channel.
struct DepthwiseProduct {
  /// The windows over an input with as many channels as the output.
  let patches: PatchGeometry
  /// The shape of the input as it is.
  let input: Shape

  var tapCount: Int { patches.kernelHeight * patches.kernelWidth }
  var channels: Int { patches.channels }

  /// A step in the arithmetic that the node asks for, or `nil` if there is no kernel for it.
  func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard let constants = ConstantWeights(context) else { return nil }
    switch arithmetic {
    case .float(let range):
      return floatStep(range, constants, context)
    case .quantized(let requantization):
      if let wide = Int16Arithmetic(requantization, constants, context, channels: channels) {
        return int16Step(wide, constants, context)
      }
      guard let arithmetic = QuantizedArithmetic(requantization, context, channels: channels)
      else { return nil }
      return quantizedStep(arithmetic, constants, context)
    case .hybrid(let hybrid):
      return hybridStep(hybrid, constants, context)
    case .plainIntegers:
      return nil
    }
  }

  /// How threads share the output pixels of one run: whole lines, two of which quantized kernels
  /// compute at once.
  func grid(_ input: DepthwiseInput, _ threadCount: Int) -> TileGrid {
    let pixelCount = input.itemsPerRun * patches.outputHeight * patches.outputWidth
    return TileGrid(
      rows: pixelCount, multipleOf: 2 * patches.outputWidth, columns: 1, multipleOf: 1,
      // One takes as long as four of a matrix product.
      multiplyAdds: saturatingProduct(pixelCount, patches.depth, 4), threadCount: threadCount)
  }

  private func floatStep(
    _ range: ClosedRange<Float>, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    guard !patches.mayLeaveInput || constants.areFinite else { return nil }
    let kernel = context.kernels.floatDepthwise
    let packed = context.packedWeights("depthwise") {
      let block = PackedBlock(byteCount: kernel.packedByteCount(channels, tapCount))
      constants.withFloats { weights, bias in
        kernel.pack(
          FloatDepthwisePackingArguments(
            filter: weights, bias: bias, channels: channels, taps: tapCount, packed: block.base))
      }
      return block
    }
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 4, kernels: context.kernels)
    else { return nil }
    let grid = grid(source, context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    let roundsProducts = context.wantsReferenceBits
    return Step(
      kernelName: "depthwise float32 \(context.kernels.name)",
      scratchByteCount: source.scratchByteCount + scratchBytes * grid.count
    ) { step in
      forEachRun(
        source, of: step.input(0), grid, step.workers, scratch: step.scratch,
        scratchBytes: scratchBytes
      ) { input, first, part, scratch in
        let output = step.output(0).assumingMemoryBound(to: Float.self) + first
        kernel.run(
          FloatDepthwiseArguments(
            patches: patches, input: input.assumingMemoryBound(to: Float.self),
            packed: packed.base, output: output, pixels: grid[part].rows,
            minimum: range.lowerBound, maximum: range.upperBound,
            roundsProducts: roundsProducts, scratch: scratch))
      }
    }
  }

  private func quantizedStep(
    _ arithmetic: QuantizedArithmetic, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let kernel = context.kernels.quantizedDepthwise
    let packed = context.packedWeights("depthwise") {
      let block = PackedBlock(
        byteCount: kernel.packedByteCount(channels, patches.kernelHeight, patches.kernelWidth))
      constants.withBytes { weights, bias in
        arithmetic.withMultipliers(from: 0) { multipliers in
          kernel.pack(
            QuantizedDepthwisePackingArguments(
              filter: weights, filterFormat: arithmetic.filter, inputFormat: arithmetic.input,
              bias: bias, requantization: multipliers, channels: channels,
              height: patches.kernelHeight, width: patches.kernelWidth,
              packed: block.base))
        }
      }
      return block
    }
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 1, kernels: context.kernels)
    else { return nil }
    let grid = grid(source, context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    return Step(
      kernelName: "depthwise \(context.node.outputs[0].type.name) \(context.kernels.name)",
      scratchByteCount: source.scratchByteCount + scratchBytes * grid.count
    ) { step in
      forEachRun(
        source, of: step.input(0), grid, step.workers, scratch: step.scratch,
        scratchBytes: scratchBytes
      ) { input, first, part, scratch in
        kernel.run(
          QuantizedDepthwiseArguments(
            patches: patches, input: input, inputFormat: arithmetic.input, packed: packed.base,
            output: step.output(0) + first, pixels: grid[part].rows, range: arithmetic.range,
            scratch: scratch))
      }
    }
  }

  private func hybridStep(
    _ hybrid: HybridWeights, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let kernel = context.kernels.quantizedDepthwise
    let format = QuantizedFormat(isSigned: true, zeroPoint: 0)
    let packed = context.packedWeights("hybrid depthwise") {
      let block = PackedBlock(
        byteCount: kernel.packedByteCount(channels, patches.kernelHeight, patches.kernelWidth))
      constants.withWeightBytes { weights in
        hybrid.withScaling(of: Array(0..<channels), bias: constants.floatBias) { requantization in
          kernel.pack(
            QuantizedDepthwisePackingArguments(
              filter: weights, filterFormat: format, inputFormat: format, bias: nil,
              requantization: requantization, channels: channels,
              height: patches.kernelHeight, width: patches.kernelWidth, packed: block.base))
        }
      }
      return block
    }
    let rounded = RoundedInput(
      itemCount: input[0], elementsPerItem: input.elementCount / input[0],
      roundsAsymmetrically: hybrid.roundsAsymmetrically, context)
    // What fills the padding depends on how an item was rounded.
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 1, mostItems: 1, kernels: context.kernels)
    else { return nil }
    let grid = grid(source, context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    let pixelsPerItem = grid.rowCount
    return Step(
      kernelName: "depthwise float32×int8 \(context.kernels.name)",
      scratchByteCount: rounded.scratchByteCount + source.scratchByteCount
        + scratchBytes * grid.count
    ) { step in
      let (rows, bytes) = rounded.round(
        step.input(0), scratch: step.scratch, workers: step.workers)
      let scratch = step.scratch + rounded.scratchByteCount
      forEachRun(
        source, of: bytes, grid, step.workers, scratch: scratch, scratchBytes: scratchBytes
      ) { input, first, part, scratch in
        let item = rows + first / (pixelsPerItem * channels)
        kernel.run(
          QuantizedDepthwiseArguments(
            patches: patches, input: input,
            inputFormat: QuantizedFormat(isSigned: true, zeroPoint: item.pointee.zeroPoint),
            packed: packed.base, output: step.output(0) + first * 4, pixels: grid[part].rows,
            range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
            hybrid: HybridScaling(
              rows: item, stride: 0, minimum: hybrid.range.lowerBound,
              maximum: hybrid.range.upperBound),
            scratch: scratch))
      }
    }
  }

  /// Visits the parts of all runs with the input of the run, its first element of the output, and
  /// working memory.
  func forEachRun(
    _ source: DepthwiseInput, of tensor: UnsafeRawPointer, _ grid: TileGrid, _ workers: Workers,
    scratch: UnsafeMutableRawPointer, scratchBytes: Int,
    _ body: (UnsafeRawPointer, _ first: Int, _ part: Int, UnsafeMutableRawPointer) -> Void
  ) {
    let kernelScratch = scratch + source.scratchByteCount
    for run in 0..<source.runCount {
      let input = source.run(run, of: tensor, scratch: scratch, workers: workers)
      workers.run(grid.count) { part in
        body(
          input, run * grid.rowCount * channels, part, kernelScratch + part * scratchBytes)
      }
    }
  }
}
