import OcellusKernelABI

/// A depthwise convolution with one filter a channel and constant weights, on the tuned kernels.
struct DepthwiseProduct {
  let patches: PatchGeometry
  /// The output pixels of all images.
  let pixelCount: Int

  private var tapCount: Int { patches.kernelHeight * patches.kernelWidth }
  private var channels: Int { patches.channels }

  /// A step in the arithmetic that the node asks for, or `nil` if there is no kernel for it.
  func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard let constants = ConstantWeights(context) else { return nil }
    switch arithmetic {
    case .float(let range):
      return floatStep(range, constants, context)
    case .quantized(let requantization):
      guard let arithmetic = QuantizedArithmetic(requantization, context, channels: channels)
      else { return nil }
      return quantizedStep(arithmetic, constants, context)
    case .hybrid, .plainIntegers:
      return nil
    }
  }

  private func grid(_ threadCount: Int) -> TileGrid {
    TileGrid(
      rows: pixelCount, multipleOf: 1, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(pixelCount, patches.depth), threadCount: threadCount)
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
    let grid = grid(context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    let roundsProducts = context.wantsReferenceBits
    return Step(
      kernelName: "depthwise float32 \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count
    ) { step in
      let input = step.input(0).assumingMemoryBound(to: Float.self)
      let output = step.output(0).assumingMemoryBound(to: Float.self)
      step.workers.run(grid.count) { part in
        kernel.run(
          FloatDepthwiseArguments(
            patches: patches, input: input, packed: packed.base, output: output,
            pixels: grid[part].rows, minimum: range.lowerBound, maximum: range.upperBound,
            roundsProducts: roundsProducts, scratch: step.scratch + part * scratchBytes))
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
    let grid = grid(context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    return Step(
      kernelName: "depthwise \(context.node.outputs[0].type.name) \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count
    ) { step in
      let (input, output) = (step.input(0), step.output(0))
      step.workers.run(grid.count) { part in
        kernel.run(
          QuantizedDepthwiseArguments(
            patches: patches, input: input, inputFormat: arithmetic.input, packed: packed.base,
            output: output, pixels: grid[part].rows, range: arithmetic.range,
            scratch: step.scratch + part * scratchBytes))
      }
    }
  }
}
