import OcellusKernelABI

extension Pool2D {
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.inputShapes[0], let geometry = geometry(input: input),
      let kernel = kernel(context.kernels.pooling, type: context.node.outputs[0].type)
    else { return nil }
    let isFloatAverage = kind == .average && context.node.outputs[0].type == .float32
    if context.isDelegated, isFloatAverage {
      return delegatedAveragePool(geometry, over: input).step(context)
    }
    // The kernels' mean of bytes is exact up to this many pixels.
    let largestWindow = 1 << 15
    guard min(tapRows, input[1]) * min(tapColumns, input[2]) <= largestWindow else { return nil }
    let isFloat = context.node.outputs[0].type == .float32
    let pool = WindowPool(
      geometry, over: input,
      range: isFloat
        ? floatRange(isDelegated: context.isDelegated)
        : Float(range.lowerBound)...Float(range.upperBound),
      kernel: kernel)
    return switch kind {
    case .average: pool.step("average pool", context)
    case .maximum: pool.step("maximum pool", context)
    case .rootMeanSquare: pool.rootMeanSquareStep(context)
    }
  }

  private func kernel(_ pooling: Pooling, type: ElementType) -> Pooling.Kernel? {
    switch (kind, type) {
    case (.average, .float32), (.rootMeanSquare, .float32): pooling.averageFloat
    case (.average, .uint8): pooling.averageUInt8
    case (.average, .int8): pooling.averageInt8
    case (.maximum, .float32): pooling.maximumFloat
    case (.maximum, .uint8): pooling.maximumUInt8
    case (.maximum, .int8): pooling.maximumInt8
    default: nil
    }
  }
}
