import OcellusKernelABI
import OcellusModelFile

/// CONV_2D: every output channel is the sum of a window of the input, weighted; with groups, of a
/// part of the channels.
package struct Conv2D: Operator {
  package static let definition = OperatorDefinition(
    "CONV_2D", versions: 1...8, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  package let window: WindowOptions
  package let arithmetic: WeightedSum

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

  /// Weights whose scales differ meet inputs that are rounded asymmetrically, whatever else
  /// the options say; old `uint8` weights never do.
  private static func hybridWeights(
    _ weights: TensorSpec, _ activation: FusedActivation
  ) -> HybridWeights {
    let scales = weights.quantization?.scales ?? []
    let first = scales.first ?? 0
    let isPerChannel = weights.type != .uint8 && scales.contains { $0 != first }
    return HybridWeights(
      scales: isPerChannel ? scales : [first], roundsAsymmetrically: isPerChannel,
      range: activation.floatRange)
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
    try context.require(
      input.rank == 4 && weights.rank == 4, "input and weights must have 4 dimensions")
    try context.require(
      input.dimensions.dropFirst().allSatisfy { $0 > 0 } && !weights.dimensions.contains(0),
      "input and weights must not be empty")
    let groupCount = input[3] / weights[3]
    try context.require(
      input[3] % weights[3] == 0 && weights[0] % groupCount == 0,
      "channels of input and weights do not match")
    try context.requireChannels(weights[0], bias: 2, arithmetic)
    guard let geometry = geometry(input: input, weights: weights) else {
      throw context.error("the window does not fit into the input")
    }
    return [
      Shape([input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, weights[0]])
    ]
  }

  /// How the window moves over an input of this shape, if it fits.
  package func geometry(input: Shape, weights: Shape) -> WindowGeometry? {
    window.geometry(over: input, tapRows: weights[1], tapColumns: weights[2])
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (input, weights) = (context.shape(0), context.shape(1))
    guard let geometry = geometry(input: input, weights: weights) else { return 0 }
    return saturatingProduct(
      input[0], geometry.rows.outputExtent, geometry.columns.outputExtent, weights.elementCount)
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.inputShapes[0], let weights = context.inputShapes[1],
      let geometry = geometry(input: input, weights: weights)
    else { return nil }
    let product = MatrixProduct(
      patches: PatchGeometry(geometry, channels: weights[3], pixelStride: input[3]),
      rowCount: context.outputShapes[0].elementCount / weights[0], outputChannels: weights[0],
      groupCount: input[3] / weights[3])
    return product.step(arithmetic, context)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (context.input(0), context.input(1), context.output(0))
    guard output.elementCount > 0,
      let geometry = geometry(input: input.shape, weights: weights.shape)
    else { return }
    var arithmetic = arithmetic
    let loop = ConvolutionLoop(
      geometry: geometry, inputChannels: input.shape[3], outputChannels: weights.shape[0],
      channelsPerGroup: weights.shape[3])
    if case .hybrid(var hybrid) = arithmetic, loop.groupCount > 1 {
      // The official kernel has grouped hybrid convolutions in its per-channel variant only.
      hybrid.roundsAsymmetrically = true
      arithmetic = .hybrid(hybrid)
    }
    arithmetic.run(
      loop,
      WeightedOperands(
        input: input, weights: weights, bias: context.input(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[0]))
  }
}

/// The convolution of one image with weights of the shape `[output channels, rows, columns,
/// channels of a group]`.
private struct ConvolutionLoop: ProductLoop {
  let geometry: WindowGeometry
  let inputChannels: Int
  let outputChannels: Int
  let channelsPerGroup: Int

  var groupCount: Int { inputChannels / channelsPerGroup }

  func run<Arithmetic: Products, Stage: OutputStage>(
    _ products: Arithmetic, _ stage: Stage,
    input: UnsafeBufferPointer<Arithmetic.Input>,
    weights: UnsafeBufferPointer<Arithmetic.Weight>,
    output: UnsafeMutableBufferPointer<Stage.Output>
  ) where Stage.Sum == Arithmetic.Sum {
    guard let input = input.baseAddress, let weights = weights.baseAddress else { return }
    let (rows, columns) = (geometry.rows, geometry.columns)
    let outputsPerGroup = outputChannels / groupCount
    // Neighbouring taps of a dense window are neighbours in memory too.
    let runsAlongRow = columns.dilation == 1 && groupCount == 1
    var position = 0
    for row in 0..<rows.outputExtent {
      let rowTaps = rows.taps(at: row)
      for column in 0..<columns.outputExtent {
        let columnTaps = columns.taps(at: column)
        for channel in 0..<outputChannels {
          let group = channel / outputsPerGroup
          var sum = Arithmetic.zero
          for rowTap in rowTaps {
            let line = (rows.origin(of: row) + rowTap * rows.dilation) * columns.inputExtent
            let weightLine = (channel * rows.tapCount + rowTap) * columns.tapCount
            for columnTap in runsAlongRow ? columnTaps.prefix(1) : columnTaps {
              let pixel = line + columns.origin(of: column) + columnTap * columns.dilation
              sum = products.adding(
                input + pixel * inputChannels + group * channelsPerGroup,
                times: weights + (weightLine + columnTap) * channelsPerGroup,
                count: runsAlongRow ? columnTaps.count * channelsPerGroup : channelsPerGroup,
                to: sum)
            }
          }
          output[position + channel] = stage.output(sum, channel: channel)
        }
        position += outputChannels
      }
    }
  }
}
