import OcellusKernelABI
import OcellusModelFile

/// CONV_2D: every output channel is a weighted sum over a window of the input; with groups, over
/// some of the input channels.
package struct Conv2D: WindowedConvolution {
  package static let definition = OperatorDefinition(
    "CONV_2D", versions: 1...8, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let window: WindowOptions
  package private(set) var arithmetic: WeightedArithmetic

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (try node.input(2), try node.output(0))
    try node.require(input, .float32, .uint8, .int8, .int16)
    try node.require(
      input.type == output.type, "input is \(input.type.name), output is \(output.type.name)")
    let options = node.options(BuiltinOptionsTag.conv2D)
    window = try WindowOptions(options, firstDilationField: 4)
    let activation = try FusedActivation(options, field: 3)
    switch (input.type, weights.type) {
    case (.float32, .float32):
      try node.require(bias, .float32)
      arithmetic = .float(activation.floatRange)
    case (.float32, _):
      try node.require(weights, .int8, .int4, .uint8)
      try node.require(bias, .float32)
      arithmetic = .hybrid(Self.hybridWeights(weights, activation))
    default:
      arithmetic = .quantized(
        try Self.requantization(
          node, activation: activation,
          sumType: try node.sumType(options, field: 6, input: input, bias: bias)))
    }
  }

  /// Returns hybrid weights, for which inputs are rounded asymmetrically if the scales differ,
  /// whatever the options say; old `uint8` weights count as weights with one scale.
  private static func hybridWeights(
    _ weights: TensorSpec, _ activation: FusedActivation
  ) -> HybridWeights {
    let scales = weights.quantization?.scales ?? []
    let first = scales.first ?? 0
    let isPerChannel = weights.type != .uint8 && scales.contains { $0 != first }
    return HybridWeights(
      scales: isPerChannel ? scales : [first], roundsAsymmetrically: isPerChannel,
      order: isPerChannel ? .sumAndColumn : .scales, range: activation.floatRange)
  }

  private static func requantization(
    _ node: NodeSpec, activation: FusedActivation, sumType: ElementType
  ) throws(ModelError) -> Requantization {
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (try node.input(2), try node.output(0))
    try node.requireWeightTypes(input: input, weights: weights)
    try node.requireBiasType(bias, input: input)
    if input.type == .int16 { try node.requireSymmetric(input, output) }
    if input.type == .uint8 {
      try node.requireBiasScale(of: bias, input: input, weights: weights, output: output)
    } else {
      try node.requireSymmetric(weights)
    }
    return try Requantization(
      input: input, weights: weights, output: output, activation: activation,
      rounding: input.type == .uint8 ? .fixedPointFromSinglePrecision : .fixedPoint,
      sumType: sumType, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(0), context.shape(1))
    try context.require(input, weights, ofRank: 4)
    let groupCount = input[3] / weights[3]
    try context.require(
      input[3] % weights[3] == 0 && weights[0] % groupCount == 0,
      "channels of input and weights do not match")
    try context.requireChannels(weights[0], bias: 2, arithmetic)
    return [try outputShape(input: input, weights: weights, channels: weights[0], context)]
  }

  package func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step? {
    guard let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = geometry(input: input, weights: weights)
    else { return nil }
    let groupCount = input[3] / weights[3]
    if roundsPixels(weights, inputChannels: input[3]) {
      let pixelCount = input.elementCount / input[3]
      return MatrixMultiplication(
        patches: PatchGeometry(matrixOf: pixelCount, depth: input[3]), rowCount: pixelCount,
        itemCount: pixelCount, elementsPerItem: input[3], outputChannels: weights[0], groupCount: 1
      ).step(arithmetic.ofRows(on: context.delegateProcessor), context)
    }
    if case .float = arithmetic,
      !chains(geometry, weights, groupCount, context.delegateProcessor).areTuned
    {
      return nil
    }
    let arithmetic = grouped(arithmetic, groupCount)
    // Groups of one channel are a depthwise convolution. XNNPACK computes a single one in the same
    // order, too.
    let isDepthwise =
      weights[3] == 1 && (groupCount > 1 || context.isDelegated && weights[0] == 1)
    let (channels, stride) = isDepthwise ? (weights[0], weights[0]) : (weights[3], input[3])
    let (patches, source, padding) = ImagePadding.unpadded(
      PatchGeometry(geometry, channels: channels, pixelStride: stride), over: input,
      arithmetic, context)
    let step =
      isDepthwise
      ? TunedDepthwise(
        patches: patches.asSingleRow, input: source, hasChannelsFirst: true, padding: padding
      ).step(arithmetic, context)
      : MatrixMultiplication(
        patches: patches.asSingleRow.asRows(imageCount: source[0]),
        rowCount: context.outputShapes[0].elementCount / weights[0], itemCount: source[0],
        elementsPerItem: source.elementCount / source[0], outputChannels: weights[0],
        groupCount: groupCount, padding: padding
      ).step(arithmetic, context)
    return padding == nil ? step : step?.fusing(0)
  }

  /// Returns the order of the sums of floats.
  private func chains(
    _ geometry: WindowGeometry, _ weights: Shape, _ groupCount: Int, _ processor: LiteRTProcessor?
  ) -> FloatChains {
    let columns = weights[0] / groupCount
    let taps = weights[1] * weights[2]
    if weights[3] == 1 && columns == 1 && geometry.takesOnePassOfXNNPACK {
      return .ofDepthwise(taps: taps, on: processor)
    }
    let isMatrix = taps == 1 && window.rowStride == 1 && window.columnStride == 1
    return isMatrix && groupCount == 1
      ? .ofMatrix(columns: columns, on: processor) : .ofWindows(columns: columns, on: processor)
  }

  /// Returns the arithmetic for a number of groups: the official kernel has grouped hybrid
  /// convolutions only in its per-channel variant.
  private func grouped(_ arithmetic: WeightedArithmetic, _ groupCount: Int) -> WeightedArithmetic {
    guard case .hybrid(var hybrid) = arithmetic, groupCount > 1, !hybrid.isDelegated else {
      return arithmetic
    }
    hybrid.roundsAsymmetrically = true
    hybrid.order = .sumAndColumn
    return .hybrid(hybrid)
  }

  /// Returns whether floats are rounded pixel by pixel: XNNPACK multiplies pixels as rows, each of
  /// which is rounded by its own range, where every window is one pixel and every pixel has one.
  private func roundsPixels(_ weights: Shape, inputChannels: Int) -> Bool {
    guard case .hybrid(let hybrid) = arithmetic, hybrid.isDelegated else { return false }
    return weights[1] == 1 && weights[2] == 1 && window.rowStride == 1 && window.columnStride == 1
      && inputChannels == weights[3]
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (context.input(0), context.input(1), context.output(0))
    guard output.elementCount > 0,
      let geometry = geometry(input: input.shape, weights: weights.shape)
    else { return }
    // Weights of the shape `[output channels, rows, columns, channels of a group]`.
    let channels = weights.shape[3]
    if roundsPixels(weights.shape, inputChannels: input.shape[3]) {
      return try arithmetic.ofRows(on: context.delegateProcessor).run(
        ReferenceLoop(rowsOf: weights.shape[0], depth: channels, context.control),
        WeightedOperands(
          input: input, weights: weights, bias: context.input(2), output: output,
          batchCount: input.elementCount / channels, inputsPerItem: channels,
          channelCount: weights.shape[0]),
        context)
    }
    let loop = ReferenceLoop(
      rows: ReferenceAxis(geometry.rows), columns: ReferenceAxis(geometry.columns),
      outputChannels: weights.shape[0], groupCount: input.shape[3] / channels,
      channelsPerGroup: channels,
      weightStrides: .init(output: weights.shape.product(of: 1..<4), tap: channels, input: 1),
      followsColumns: context.isDelegated && input.shape[3] == weights.shape[0] && channels == 1
        && geometry.takesOnePassOfXNNPACK,
      chains: chains(
        geometry, weights.shape, input.shape[3] / channels, context.delegateProcessor),
      control: context.control)
    try grouped(arithmetic, loop.groupCount).run(
      loop,
      WeightedOperands(
        input: input, weights: weights, bias: context.input(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[0]),
      context)
  }
}

extension Conv2D: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    var operation = self
    operation.arithmetic = arithmetic.delegated(to: processor)
    return operation
  }
}
