import OcellusKernelABI

/// A depthwise convolution with constant weights on the tuned kernels, which have one filter per
/// channel.
struct TunedDepthwise {
  /// The windows over an input with as many channels as the output.
  let patches: PatchGeometry
  /// The shape of the input, before any channels are repeated.
  let input: Shape
  /// Whether output channels are the first dimension of the weights.
  var hasChannelsFirst = false
  /// The padding of a fused PAD, which is part of `patches`.
  var padding: ImagePadding?

  var tapCount: Int { patches.windowHeight * patches.windowWidth }
  /// The numbers that determine the layout of packed weights.
  var windowLayout: [Int] {
    [
      channels, patches.windowHeight, patches.windowWidth, patches.strideWidth,
      hasChannelsFirst ? 1 : 0,
    ]
  }
  var channels: Int { patches.channels }

  /// Returns a step in the arithmetic that the node asks for, or `nil` if there is no kernel for
  /// it.
  func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step? {
    guard var constants = ConstantWeights(context) else { return nil }
    if hasChannelsFirst { constants.transposition = .channelsToBack }
    switch KernelArithmetic(arithmetic, constants, context, channels: channels) {
    case .float(let range): return floatStep(range, constants, context)
    case .int16(let arithmetic): return int16Step(arithmetic, constants, context)
    case .bytes(let arithmetic): return quantizedStep(arithmetic, constants, context)
    case .hybrid(let hybrid): return hybridStep(hybrid, constants, context)
    case nil: return nil
    }
  }

  /// Returns the division of one run's output pixels among threads: whole rows, in pairs because
  /// quantized kernels compute two at once.
  func grid(_ input: DepthwiseInput, _ threadCount: Int) -> WorkItemGrid {
    let pixelCount = input.itemsPerRun * patches.outputHeight * patches.outputWidth
    // A single row is divided as well, in units that give every thread some work.
    let unit = patches.outputHeight == 1 ? min(patches.outputWidth, 64) : 2 * patches.outputWidth
    return WorkItemGrid(
      rows: pixelCount, multipleOf: unit, columns: 1, multipleOf: 1,
      // One multiply-add takes as long as four of a GEMM.
      multiplyAdds: saturatingProduct(pixelCount, patches.depth, 4), threadCount: threadCount)
  }

  private func floatStep(
    _ range: ClosedRange<Float>, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    guard !patches.mayLeaveInput || constants.areFinite else { return nil }
    guard let chosen = context.choose(context.kernels.floatDepthwise, for: patches, times: input[0])
    else { return nil }
    let kernel = chosen.kernel
    let packed = context.packedWeights(
      "depthwise", layout: windowLayout,
      byteCount: kernel.packedByteCount(channels, tapCount)
    ) { packed in
      constants.withFloats { weights, bias in
        kernel.pack(
          FloatDepthwisePackingArguments(
            filter: weights, bias: bias, channels: channels, taps: tapCount, packed: packed))
      }
    }
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 4, kernels: context.kernels)
    else { return nil }
    let numerics = context.numerics
    return step("float32", chosen.choice, source, context) { step, workItem in
      kernel.run(
        WindowBlock(
          patches: patches, input: workItem.input, packed: packed.base,
          output: step.output(0) + workItem.firstElement * 4, pixels: workItem.pixels,
          epilogue: FloatEpilogue(range, numerics), scratch: workItem.scratch))
    }
  }

  private func quantizedStep(
    _ arithmetic: QuantizedKernelSpec, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let family = context.kernels.quantizedDepthwise
    guard let chosen = context.choose(family, for: patches, times: input[0]) else { return nil }
    let kernel = chosen.kernel
    let packed = context.packedWeights(
      "depthwise, \(chosen.choice.name)", layout: windowLayout,
      byteCount: kernel.packedByteCount(patches)
    ) { packed in
      constants.withWeightBytes { weights in
        arithmetic.withScaling(
          of: Array(0..<channels), bias: constants.bias32,
          column: { WeightColumn(start: weights + $0, count: tapCount, stride: channels) }
        ) { scaling, bias in
          kernel.pack(
            QuantizedDepthwisePackingArguments(
              filter: weights, filterFormat: arithmetic.filter, inputFormat: arithmetic.input,
              bias: bias, requantization: scaling, geometry: patches, packed: packed))
        }
      }
    }
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 1, kernels: context.kernels)
    else { return nil }
    return step(
      context.node.outputs[0].type.name, chosen.choice, source,
      scratchByteCount: kernel.scratchByteCount(patches), context
    ) { step, workItem in
      kernel.run(
        WindowBlock(
          patches: patches, input: workItem.input, packed: packed.base,
          output: step.output(0) + workItem.firstElement, pixels: workItem.pixels,
          epilogue: QuantizedEpilogue(inputFormat: arithmetic.input, range: arithmetic.range),
          scratch: workItem.scratch))
    }
  }

  private func hybridStep(
    _ hybrid: HybridWeights, _ constants: ConstantWeights, _ context: PlanContext
  ) -> Step? {
    let family = context.kernels.quantizedDepthwise
    guard let chosen = context.choose(family, for: patches, times: input[0]) else { return nil }
    let kernel = chosen.kernel
    let format = HybridPanels.weightFormat
    let packed = context.packedWeights(
      "hybrid depthwise, \(chosen.choice.name)", layout: windowLayout,
      byteCount: kernel.packedByteCount(patches)
    ) { packed in
      constants.withWeightBytes { weights in
        hybrid.withScaling(of: Array(0..<channels), bias: constants.floatBias) { requantization in
          kernel.pack(
            QuantizedDepthwisePackingArguments(
              filter: weights, filterFormat: format, inputFormat: format, bias: nil,
              requantization: requantization, geometry: patches, packed: packed))
        }
      }
    }
    let rounded = DynamicallyQuantizedInput(
      itemCount: input[0], elementsPerItem: input.elementCount / input[0],
      rounding: hybrid.rounding, padding: padding, context)
    // The value of the padding depends on the rounding of an item, so a run has one item.
    guard
      let source = DepthwiseInput(
        input, channels: channels, elementBytes: 1, maximumItems: 1, kernels: context.kernels)
    else { return nil }
    let elementsPerItem = patches.outputHeight * patches.outputWidth * channels
    return step(
      "float32×int8", chosen.choice, source, rounding: rounded,
      scratchByteCount: kernel.scratchByteCount(patches), context
    ) { step, workItem in
      let item = rounded.rows(in: step.scratch) + workItem.firstElement / elementsPerItem
      kernel.run(
        WindowBlock(
          patches: patches, input: workItem.input, packed: packed.base,
          output: step.output(0) + workItem.firstElement * 4, pixels: workItem.pixels,
          epilogue: QuantizedEpilogue(
            inputFormat: QuantizedFormat(isSigned: true, zeroPoint: item.pointee.zeroPoint),
            range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
            hybrid: HybridScaling(
              rows: item, stride: 0, order: hybrid.order, minimum: hybrid.range.lowerBound,
              maximum: hybrid.range.upperBound)), scratch: workItem.scratch))
    }
  }

  /// A work item of a run as kernels see it.
  struct Part {
    /// The input of the run.
    var input: UnsafeRawPointer
    /// The index of the run's first output element.
    var firstElement: Int
    var pixels: Range<Int>
    var scratch: UnsafeMutableRawPointer
  }

  /// Makes a step that visits the work items of all runs, with scratch for each.
  func step(
    _ types: String, _ strategy: StrategyChoice, _ source: DepthwiseInput,
    rounding: DynamicallyQuantizedInput? = nil,
    scratchByteCount: Int = 0, _ context: PlanContext,
    _ body: @escaping @Sendable (StepContext, Part) -> Void
  ) -> Step {
    let grid = grid(source, context.threadCount)
    let roundedBytes = rounding?.scratchByteCount ?? 0
    let firstScratch = roundedBytes + source.scratchByteCount
    let runElements = grid.rowCount * channels
    typealias Run = (step: StepContext, input: UnsafeRawPointer, number: Int)
    let loop = WorkItemLoop<Run> { run, workItem in
      grid.forEachBlock(of: workItem, run.step.workers) { pixels, _ in
        body(
          run.step,
          Part(
            input: run.input, firstElement: run.number * runElements, pixels: pixels,
            scratch: run.step.scratch + firstScratch + workItem * scratchByteCount))
      }
    }
    return Step(
      kernelName: "depthwise \(types) \(context.kernels.name)", strategy: strategy,
      scratchByteCount: firstScratch + scratchByteCount * grid.count
    ) { step in
      var tensor = step.input(0)
      if let rounding {
        let rounded = rounding.round(tensor, scratch: step.scratch, workers: step.workers)
        tensor = UnsafeRawPointer(rounded.bytes)
      }
      for number in 0..<source.runCount {
        if number > 0, step.workers.isOver { return }
        let input = source.run(
          number, of: tensor, scratch: step.scratch + roundedBytes, workers: step.workers)
        step.workers.run(grid.count, loop, (step, input, number))
      }
    }
  }
}
