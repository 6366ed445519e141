import OcellusModelFile

/// CONV_3D: every output channel is the sum of a window of the volume, weighted.
package struct Conv3D: Operator {
  package static let definition = OperatorDefinition(
    "CONV_3D", types: [.float32], make: { node throws(ModelError) in try Self(node) })

  package let window: VolumeOptions
  package let arithmetic: WeightedArithmetic

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...3)
    for tensor in [try node.input(0), try node.input(1), try node.output(0)] {
      try node.require(tensor, .float32)
    }
    if let bias = node.optionalInput(2) { try node.require(bias, .float32) }
    let options = node.options(BuiltinOptionsTag.conv3D)
    window = try VolumeOptions(options)
    arithmetic = .float(try FusedActivation(options, field: 4).floatRange)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(0), context.shape(1))
    try context.require(input, weights, ofRank: 5)
    try context.require(input[4] == weights[3], "channels of input and weights do not match")
    try context.requireChannels(weights[4], bias: 2, arithmetic)
    // If the window does not fit, the official kernel makes an empty result.
    let extents = window.axes(over: input, taps: weights.dimensions[0..<3]).map {
      $0?.outputExtent ?? 0
    }
    return [Shape([input[0]] + extents + [weights[4]])]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (input, weights) = (context.shape(0), context.shape(1))
    guard let geometry = window.geometry(over: input, taps: weights.dimensions[0..<3]) else {
      return 0
    }
    return saturatingProduct(input[0], geometry.positionCount, weights.elementCount)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (context.input(0), context.input(1), context.output(0))
    let taps = weights.shape.dimensions[0..<3]
    guard output.elementCount > 0, let geometry = window.geometry(over: input.shape, taps: taps)
    else { return }
    // Weights of the shape `[planes, rows, columns, input channels, output channels]`.
    let (channels, outputChannels) = (weights.shape[3], weights.shape[4])
    try arithmetic.run(
      ReferenceLoop(
        planes: ReferenceAxis(geometry.planes), rows: ReferenceAxis(geometry.rows),
        columns: ReferenceAxis(geometry.columns), outputChannels: outputChannels,
        channelsPerGroup: channels,
        weightStrides: .init(output: 1, tap: channels * outputChannels, input: outputChannels),
        control: context.control),
      WeightedOperands(
        input: input, weights: weights, bias: context.optionalInput(2), output: output,
        batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
        channelCount: weights.shape[4]),
      context)
  }
}
