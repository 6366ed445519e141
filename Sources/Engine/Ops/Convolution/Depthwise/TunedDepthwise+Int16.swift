import OcellusKernelABI

extension TunedDepthwise {
  /// Returns a step for 16-bit activations with 8-bit weights.
  func int16Step(
    _ arithmetic: Int16KernelSpec, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    // The official kernel reads packed 4-bit weights differently: see `DepthwiseConv2D.weights`.
    guard constants.weights.type == .int8,
      let chosen = context.choose(
        context.kernels.int16Depthwise, for: patches, times: input[0]),
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 2, kernels: context.kernels)
    else { return nil }
    let kernel = chosen.kernel
    let packed = context.packedWeights(
      "depthwise", layout: windowLayout,
      byteCount: kernel.packedByteCount(channels, tapCount)
    ) { packed in
      constants.withWeightBytes { weights in
        arithmetic.bias.withUnsafeBufferPointer { bias in
          arithmetic.withMultipliers(of: Array(0..<channels)) { requantization in
            kernel.pack(
              Int16DepthwisePackingArguments(
                filter: weights, bias: bias.isEmpty ? nil : bias.baseAddress,
                requantization: requantization, channels: channels, taps: tapCount,
                packed: packed))
          }
        }
      }
    }
    return step(
      "int16×int8", chosen.choice, source, scratchByteCount: kernel.scratchByteCount(patches),
      context
    ) { step, workItem in
      kernel.run(
        WindowBlock(
          patches: patches, input: workItem.input, packed: packed.base,
          output: step.output(0) + workItem.firstElement * 2, pixels: workItem.pixels,
          epilogue: arithmetic.range, scratch: workItem.scratch))
    }
  }
}
