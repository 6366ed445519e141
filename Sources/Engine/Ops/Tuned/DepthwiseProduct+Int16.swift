import OcellusKernelABI

extension DepthwiseProduct {
  /// 16-bit activations with 8-bit weights.
  func int16Step(
    _ arithmetic: Int16Arithmetic, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    // Packed weights of 4 bits are read in a way of its own: see `DepthwiseConv2D.weights`.
    guard constants.weights.type == .int8, tapCount <= Int16Depthwise.mostTaps,
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 2, kernels: context.kernels)
    else { return nil }
    let kernel = context.kernels.int16Depthwise
    let packed = context.packedWeights("depthwise") {
      let block = PackedBlock(byteCount: kernel.packedByteCount(channels, tapCount))
      constants.withWeightBytes { weights in
        arithmetic.bias.withUnsafeBufferPointer { bias in
          arithmetic.withMultipliers(of: Array(0..<channels)) { requantization in
            kernel.pack(
              Int16DepthwisePackingArguments(
                filter: weights, bias: bias.isEmpty ? nil : bias.baseAddress,
                requantization: requantization, channels: channels, taps: tapCount,
                packed: block.base))
          }
        }
      }
      return block
    }
    let grid = grid(source, context.threadCount)
    let scratchBytes = kernel.scratchByteCount(patches)
    return Step(
      kernelName: "depthwise int16×int8 \(context.kernels.name)",
      scratchByteCount: source.scratchByteCount + scratchBytes * grid.count
    ) { step in
      forEachRun(
        source, of: step.input(0), grid, step.workers, scratch: step.scratch,
        scratchBytes: scratchBytes
      ) { input, first, part, scratch in
        kernel.run(
          Int16DepthwiseArguments(
            patches: patches, input: input.assumingMemoryBound(to: Int16.self),
            packed: packed.base,
            output: step.output(0).assumingMemoryBound(to: Int16.self) + first,
            pixels: grid[part].rows, range: arithmetic.range, scratch: scratch))
      }
    }
  }
}
