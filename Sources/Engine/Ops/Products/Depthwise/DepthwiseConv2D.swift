import OcellusKernelABI
import OcellusModelFile

/// DEPTHWISE_CONV_2D: every channel of the input is convolved by itself, with one or several
/// filters, each of which makes one output channel.
package struct DepthwiseConv2D: WindowedSum {
  package static let definition = OperatorDefinition(
    "DEPTHWISE_CONV_2D", versions: 1...7, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let window: WindowOptions
  package let arithmetic: WeightedSum

  // The option `depth_multiplier` is not read: the shapes say the same, and count.
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

  package func step(_ arithmetic: WeightedSum, _ context: PlanContext) -> Step? {
    guard let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = geometry(input: input, weights: weights)
    else { return nil }
    // All filters of an only channel see the same windows: an ordinary convolution.
    let isOrdinary = input[3] == 1 && weights[3] > 1 && !arithmetic.isHybrid
    let channels = isOrdinary ? 1 : weights[3]
    let (patches, source, isUnpadded) = ImagePadding.unpadded(
      PatchGeometry(geometry, channels: channels, pixelStride: channels), over: input,
      arithmetic, context)
    let step =
      isOrdinary
      ? MatrixProduct(
        patches: patches, rowCount: context.outputShapes[0].elementCount / weights[3],
        itemCount: input[0], elementsPerItem: input.elementCount / input[0],
        outputChannels: weights[3], groupCount: 1, hasChannelsLast: true
      ).step(arithmetic, context)
      : DepthwiseProduct(patches: patches, input: source).step(arithmetic, context)
    return isUnpadded ? step?.absorbing(0) : step
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (
      context.input(0), try weights(context), context.output(0)
    )
    guard output.elementCount > 0,
      let geometry = geometry(input: input.shape, weights: weights.shape)
    else { return }
    try arithmetic.run(
      DepthwiseLoop(
        geometry: geometry, inputChannels: input.shape[3], outputChannels: weights.shape[3],
        control: context.control),
      WeightedOperands(
        input: input, weights: weights, bias: context.optionalInput(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[3]),
      context)
  }
}

/// The depthwise convolution of one image with weights of the shape `[1, rows, columns, output
/// channels]`.
private struct DepthwiseLoop: ProductLoop {
  let geometry: WindowGeometry
  let inputChannels: Int
  let outputChannels: Int
  let control: RunControl

  /// One sum a channel.
  var workingByteCount: Int { outputChannels * MemoryLayout<Int64>.size }

  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum {
    guard let input = input.baseAddress, let weights = weights.baseAddress else { return }
    let (rows, columns) = (geometry.rows, geometry.columns)
    withUnsafeTemporaryAllocation(of: Arithmetic.Sum.self, capacity: outputChannels) { sums in
      var position = 0
      for row in 0..<rows.outputExtent where !control.isOver {
        let rowTaps = rows.taps(at: row)
        for column in 0..<columns.outputExtent {
          sums.update(repeating: Arithmetic.zero)
          for rowTap in rowTaps {
            let line = (rows.origin(of: row) + rowTap * rows.dilation) * columns.inputExtent
            for columnTap in columns.taps(at: column) {
              let pixel = line + columns.origin(of: column) + columnTap * columns.dilation
              let tap = rowTap * columns.tapCount + columnTap
              add(
                products, input + pixel * inputChannels, weights + tap * outputChannels, to: sums)
            }
          }
          for channel in 0..<outputChannels {
            output[position + channel] = stage.output(sums[channel], channel: channel)
          }
          position += outputChannels
        }
      }
    }
  }

  /// Adds the products of one pixel with one tap's weights.
  @inline(__always)
  private func add<Arithmetic: Products>(
    _ products: Arithmetic, _ pixel: UnsafePointer<Arithmetic.Input>,
    _ weights: UnsafePointer<Arithmetic.Weight>,
    to sums: UnsafeMutableBufferPointer<Arithmetic.Sum>
  ) {
    let multiplier = outputChannels / inputChannels
    guard multiplier > 1 else {
      for channel in 0..<outputChannels {
        sums[channel] = products.adding(pixel[channel], times: weights[channel], to: sums[channel])
      }
      return
    }
    var channel = 0
    for inputChannel in 0..<inputChannels {
      for _ in 0..<multiplier {
        sums[channel] = products.adding(
          pixel[inputChannel], times: weights[channel], to: sums[channel])
        channel += 1
      }
    }
  }
}
