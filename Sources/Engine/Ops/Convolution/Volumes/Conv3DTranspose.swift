import OcellusModelFile

/// CONV_3D_TRANSPOSE: every voxel of the input adds a weighted window to the output.
package struct Conv3DTranspose: Operator {
  package static let definition = OperatorDefinition(
    "CONV_3D_TRANSPOSE", types: [.int32], make: { node throws(ModelError) in try Self(node) })

  package let shapeInputs = [0]
  /// The window as it moves over the *output*.
  package let window: VolumeOptions
  package let arithmetic: WeightedArithmetic

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3...4)
    try node.require(try node.input(0), .int32)
    for tensor in [try node.input(1), try node.input(2), try node.output(0)] {
      try node.require(tensor, .float32)
    }
    if let bias = node.optionalInput(3) { try node.require(bias, .float32) }
    let options = node.options(BuiltinOptionsTag.conv3D)
    window = try VolumeOptions(options)
    arithmetic = .float(try FusedActivation(options, field: 4).floatRange)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (weights, input) = (context.shape(1), context.shape(2))
    try context.require(
      input.rank == 5 && weights.rank == 5, "input and weights must have 5 dimensions")
    try context.require(input[4] == weights[4], "channels of input and weights do not match")
    try context.requireChannels(weights[3], bias: 3, arithmetic)
    let output = Shape(try context.integers(0))
    try context.require(
      context.shape(0).rank == 1 && output.rank == 5 && output[0] == input[0]
        && output[4] == weights[3], "the output cannot have the shape \(output)")
    let extents = window.axes(over: output, taps: weights.dimensions[0..<3]).map {
      $0?.outputExtent ?? 0
    }
    try context.require(
      extents == Array(input.dimensions[1..<4]),
      "the output shape \(output) does not belong to the input")
    return [output]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (weights, input) = (context.shape(1), context.shape(2))
    return saturatingProduct(
      input.product(of: 0..<4), weights.elementCount)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (weights, input, output) = (context.input(1), context.input(2), context.output(0))
    let taps = weights.shape.dimensions[0..<3]
    guard output.elementCount > 0, let geometry = window.geometry(over: output.shape, taps: taps)
    else { return }
    // Weights of the shape `[planes, rows, columns, output channels, input channels]`.
    let (outputChannels, channels) = (weights.shape[3], weights.shape[4])
    try arithmetic.run(
      ReferenceLoop(
        planes: ReferenceAxis(geometry.planes, isTransposed: true),
        rows: ReferenceAxis(geometry.rows, isTransposed: true),
        columns: ReferenceAxis(geometry.columns, isTransposed: true),
        outputChannels: outputChannels, channelsPerGroup: channels,
        weightStrides: .init(output: channels, tap: outputChannels * channels, input: 1),
        control: context.control),
      WeightedOperands(
        input: input, weights: weights, bias: context.optionalInput(3), output: output,
        batchCount: output.shape[0], inputsPerItem: input.elementCount / output.shape[0],
        channelCount: weights.shape[3]),
      context)
  }
}
