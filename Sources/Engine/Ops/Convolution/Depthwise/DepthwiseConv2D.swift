import OcellusKernelABI
import OcellusModelFile

/// DEPTHWISE_CONV_2D: every input channel is convolved separately, with one or several filters,
/// each of which makes one output channel.
package struct DepthwiseConv2D: WindowedConvolution {
  package static let definition = OperatorDefinition(
    "DEPTHWISE_CONV_2D", versions: 1...7, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let window: WindowOptions
  package private(set) var arithmetic: WeightedArithmetic

  // The option `depth_multiplier` is not read, since it follows from the shapes.
  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...3)
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (node.optionalInput(2), try node.output(0))
    try node.require(input, .float32, .uint8, .int8, .int16)
    try node.require(
      input.type == output.type, "input is \(input.type.name), output is \(output.type.name)")
    let options = node.options(BuiltinOptionsTag.depthwiseConv2D)
    window = try WindowOptions(options, firstDilationField: 5)
    let activation = try FusedActivation(options, field: 4)
    if input.type == .float32, let bias { try node.require(bias, .float32) }
    switch (input.type, weights.type) {
    case (.float32, .float32):
      arithmetic = .float(activation.floatRange)
    case (.float32, _):
      try node.require(weights, .int8)
      arithmetic = .hybrid(
        HybridWeights(
          scales: try Self.scalesPerChannel(of: weights, node), roundsAsymmetrically: true,
          range: activation.floatRange))
    default:
      arithmetic = .quantized(try Self.requantization(node, activation: activation))
    }
  }

  private static func scalesPerChannel(
    of weights: TensorSpec, _ node: NodeSpec
  ) throws(ModelError) -> [Float] {
    guard let quantization = weights.quantization,
      weights.shape.dimensions.indices.contains(quantization.axis),
      weights.shape[quantization.axis] == quantization.scales.count
    else { throw node.error("\(weights.label) needs a scale for each channel") }
    return quantization.scales
  }

  private static func requantization(
    _ node: NodeSpec, activation: FusedActivation
  ) throws(ModelError) -> Requantization {
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (node.optionalInput(2), try node.output(0))
    try node.requireWeightTypes(input: input, weights: weights)
    try node.requireBiasType(bias, input: input)
    if input.type == .int16 {
      try node.requireSymmetric(input, output)
      if let bias { try node.require(bias, .int64) }
    }
    if input.type == .uint8 {
      try node.requireBiasScale(of: bias, input: input, weights: weights, output: output)
    }
    return try Requantization(
      input: input, weights: weights, output: output, activation: activation,
      rounding: input.type == .uint8 ? .fixedPointFromSinglePrecision : .fixedPoint,
      sumType: input.type == .int16 ? .int64 : .int32, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(0), context.shape(1))
    try context.require(input, weights, ofRank: 4)
    try context.require(weights[0] == 1, "the first dimension of the weights must be 1")
    try context.require(
      weights[3] % input[3] == 0, "channels of input and weights do not match")
    if let bias = context.optionalShape(2) {
      try context.require(bias.rank == 1, "the bias must have one dimension")
    }
    try context.requireChannels(weights[3], bias: 2, arithmetic)
    return [try outputShape(input: input, weights: weights, channels: weights[3], context)]
  }

  package func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step? {
    guard let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = geometry(input: input, weights: weights)
    else { return nil }
    // With several filters for a channel, XNNPACK follows windows row by row, which the kernels do
    // not.
    if context.isDelegated, case .float = arithmetic, input[3] > 1, weights[3] > input[3] {
      return nil
    }
    // All filters of a single channel see the same windows: an ordinary convolution.
    let suitsFastRequantization = input[3] == 1 && weights[3] > 1 && !arithmetic.isHybrid
    let channels = suitsFastRequantization ? 1 : weights[3]
    let (patches, source, padding) = ImagePadding.unpadded(
      PatchGeometry(geometry, channels: channels, pixelStride: channels), over: input,
      arithmetic, context)
    let step =
      suitsFastRequantization
      ? MatrixMultiplication(
        patches: patches.asSingleRow, rowCount: context.outputShapes[0].elementCount / weights[3],
        itemCount: source[0], elementsPerItem: source.elementCount / source[0],
        outputChannels: weights[3], groupCount: 1, hasChannelsLast: true
      ).step(arithmetic, context)
      : TunedDepthwise(patches: patches.asSingleRow, input: source, padding: padding)
        .step(arithmetic, context)
    return padding == nil ? step : step?.fusing(0)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (
      context.input(0), try weights(context), context.output(0)
    )
    guard output.elementCount > 0,
      let geometry = geometry(input: input.shape, weights: weights.shape)
    else { return }
    // Weights of the shape `[1, rows, columns, output channels]`.
    let isInOnePass =
      context.isDelegated && weights.shape[3] == input.shape[3] && geometry.takesOnePassOfXNNPACK
    try arithmetic.run(
      ReferenceLoop(
        rows: ReferenceAxis(geometry.rows), columns: ReferenceAxis(geometry.columns),
        outputChannels: weights.shape[3], groupCount: input.shape[3], channelsPerGroup: 1,
        weightStrides: .init(output: 1, tap: weights.shape[3], input: 0),
        followsColumns: isInOnePass,
        chains: isInOnePass
          ? .ofDepthwise(
            taps: weights.shape[1] * weights.shape[2], on: context.delegateProcessor) : .one,
        control: context.control),
      WeightedOperands(
        input: input, weights: weights, bias: context.optionalInput(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[3]),
      context)
  }
}

extension DepthwiseConv2D: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    var operation = self
    operation.arithmetic = arithmetic.delegated(to: processor)
    return operation
  }

  /// Returns the operator with sums that are scaled first to the weights and then to the inputs, as
  /// in LiteRT's built-in kernel; `nil` where floats are not rounded.
  func scalingByColumns() -> Self? {
    guard case .hybrid(var weights) = arithmetic else { return nil }
    weights.order = .sumAndColumn
    // Its vectors have four channels, and the rest is scaled in the opposite order.
    weights.lastChannelCount = weights.scales.count % 4
    var operation = self
    operation.arithmetic = .hybrid(weights)
    return operation
  }
}

extension WindowGeometry {
  /// Whether a depthwise kernel of XNNPACK for all taps of the window exists, which follows columns;
  /// the others follow rows.
  var takesOnePassOfXNNPACK: Bool { rows.tapCount * columns.tapCount <= 25 }
}
