import OcellusKernelABI
import OcellusModelFile

/// TRANSPOSE_CONV, and MediaPipe's custom operator of that kind: every pixel of the input adds a
/// weighted window to the output, which is what the gradient of a convolution does.
package struct TransposeConv: Operator {
  package static let definition = OperatorDefinition(
    "TRANSPOSE_CONV", versions: 1...5, types: [.int32],
    make: { node throws(ModelError) in try Self(node) })
  package static let mediaPipe = OperatorDefinition(
    "Convolution2DTransposeBias", types: [.float32],
    make: { node throws(ModelError) in try Self(mediaPipe: node) })

  /// The positions of the operands.
  private struct Positions {
    var outputShape: Int?
    var weights = 1
    var input: Int
    var bias: Int
  }

  private let positions: Positions
  /// The window as it moves over the *output*.
  package let window: WindowOptions
  package private(set) var arithmetic: WeightedArithmetic
  /// Whether the bits are those of LiteRT's built-in kernel, instead of the reference kernel's.
  var isBuiltIn = false

  package var shapeInputs: [Int] { positions.outputShape.map { [$0] } ?? [] }

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3...4)
    positions = Positions(outputShape: 0, input: 2, bias: 3)
    let (outputShape, weights) = (try node.input(0), try node.input(1))
    let (input, bias, output) = (try node.input(2), node.optionalInput(3), try node.output(0))
    try node.require(outputShape, .int32)
    try node.require(input, .float32, .uint8, .int8, .int16)
    try node.requireSameType(input, output)
    let options = node.options(BuiltinOptionsTag.transposeConv)
    window = try WindowOptions(options)
    let activation = try FusedActivation(options, field: 3)
    if input.type == .float32, let bias { try node.require(bias, .float32) }
    switch (input.type, weights.type) {
    case (.float32, .float32):
      arithmetic = .float(activation.floatRange)
    case (.float32, _):
      arithmetic = .hybrid(try Self.hybridWeights(node, activation))
    default:
      arithmetic = .quantized(
        try Self.requantization(
          node, activation: activation,
          sumType: try node.sumType(options, field: 4, input: input, bias: bias)))
    }
  }

  /// Decodes MediaPipe's operator, whose output size follows from the input's; it has no
  /// activation.
  init(mediaPipe node: NodeSpec) throws(ModelError) {
    try node.requireOperands(3)
    positions = Positions(input: 0, bias: 2)
    for tensor in [try node.input(0), try node.input(1), try node.input(2), try node.output(0)] {
      try node.require(tensor, .float32)
    }
    window = try WindowOptions(structure: try node.structOptions(count: 3), node: node)
    arithmetic = .float(-Float.infinity...Float.infinity)
  }

  private static func hybridWeights(
    _ node: NodeSpec, _ activation: FusedActivation
  ) throws(ModelError) -> HybridWeights {
    let weights = try node.input(1)
    try node.require(weights, .int8)
    guard let quantization = weights.quantization, !quantization.scales.isEmpty else {
      throw node.error("\(weights.label) is not quantized")
    }
    return HybridWeights(
      scales: quantization.scales, roundsAsymmetrically: true, scalesProducts: true,
      range: activation.floatRange)
  }

  private static func requantization(
    _ node: NodeSpec, activation: FusedActivation, sumType: ElementType
  ) throws(ModelError) -> Requantization {
    let (weights, input) = (try node.input(1), try node.input(2))
    let (bias, output) = (node.optionalInput(3), try node.output(0))
    try node.require(weights, input.type == .uint8 ? .uint8 : .int8)
    if input.type == .int16 { try node.requireSymmetric(input, output) }
    if input.type == .uint8 {
      if let bias { try node.require(bias, .int32) }
      try node.requireBiasScale(of: bias, input: input, weights: weights, output: output)
    } else {
      try node.requireBiasType(bias, input: input)
    }
    return try Requantization(
      input: input, weights: weights, output: output, activation: activation,
      rounding: input.type == .uint8 ? .fixedPointFromSinglePrecision : .fixedPoint,
      sumType: sumType, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(positions.input), context.shape(positions.weights))
    try context.require(input, weights, ofRank: 4)
    try context.require(input[3] == weights[3], "channels of input and weights do not match")
    try context.requireChannels(weights[0], bias: positions.bias, arithmetic)
    guard let position = positions.outputShape else {
      return [inferredOutput(input: input, weights: weights)]
    }
    let output = Shape(try context.integers(position))
    try context.require(
      context.shape(position).rank == 1 && output.rank == 4 && output[0] == input[0]
        && output[1] > 0 && output[2] > 0 && output[3] == weights[0],
      "the output cannot have the shape \(output)")
    let geometry = geometry(output: output, weights: weights)
    try context.require(
      geometry?.rows.outputExtent == input[1] && geometry?.columns.outputExtent == input[2],
      "the output shape \(output) does not belong to the input")
    return [output]
  }

  private func inferredOutput(input: Shape, weights: Shape) -> Shape {
    func extent(_ extent: Int, taps: Int, stride: Int) -> Int {
      let beyondLast =
        window.padding == .same ? min(taps, (extent - 1) % stride + 1) : taps
      return (extent - 1) * stride + beyondLast
    }
    return [
      input[0], extent(input[1], taps: weights[1], stride: window.rowStride),
      extent(input[2], taps: weights[2], stride: window.columnStride), weights[0],
    ]
  }

  /// Returns the geometry of the window over an output of this shape, if it fits.
  package func geometry(output: Shape, weights: Shape) -> WindowGeometry? {
    window.geometry(over: output, tapRows: weights[1], tapColumns: weights[2])
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    let (input, weights) = (context.shape(positions.input), context.shape(positions.weights))
    return saturatingProduct(input[0], input[1], input[2], weights.elementCount)
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard !isBuiltIn, let input = context.inputShapes[positions.input],
      let weights = context.inputShapes[positions.weights],
      let geometry = geometry(output: context.outputShapes[0], weights: weights),
      geometry.rows.outputExtent == input[1], geometry.columns.outputExtent == input[2]
    else { return nil }
    if case .float = arithmetic,
      !FloatChains.ofTransposedWindows(columns: weights[0], on: context.delegateProcessor).areTuned
    {
      return nil
    }
    // XNNPACK visits the taps of a result in the opposite order.
    let hasOneTap = weights[1] <= window.rowStride && weights[2] <= window.columnStride
    var turns = false
    if context.isDelegated, case .float = arithmetic { turns = !hasOneTap }
    guard let geometry = turns ? geometry.turned : geometry else { return nil }
    let product = TransposedConvolution(
      geometry: geometry.asSingleRow, itemCount: input[0], inputChannels: input[3],
      outputChannels: weights[0], inputPosition: positions.input, isTurned: turns)
    return product.step(arithmetic, bias: positions.bias, context)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights) = (context.input(positions.input), context.input(positions.weights))
    let output = context.output(0)
    guard output.elementCount > 0,
      let geometry = geometry(output: output.shape, weights: weights.shape)
    else { return }
    let operands = WeightedOperands(
      input: input, weights: weights, bias: context.optionalInput(positions.bias), output: output,
      batchCount: input.shape[0], inputsPerItem: input.elementCount / input.shape[0],
      channelCount: weights.shape[0])
    if isBuiltIn, case .float(let range) = arithmetic {
      return runBuiltIn(geometry, operands, range: range, context)
    }
    // Weights of the shape `[output channels, rows, columns, input channels]`. The official kernel
    // scatters each input over results; the loop gathers for each result, in the same order.
    let channels = input.shape[3]
    try arithmetic.run(
      ReferenceLoop(
        rows: ReferenceAxis(geometry.rows, isTransposed: true),
        columns: ReferenceAxis(geometry.columns, isTransposed: true),
        outputChannels: weights.shape[0], channelsPerGroup: channels,
        weightStrides: .init(output: weights.shape.product(of: 1..<4), tap: channels, input: 1),
        reversesTaps: context.isDelegated,
        chains: .ofTransposedWindows(columns: weights.shape[0], on: context.delegateProcessor),
        control: context.control),
      operands, context)
  }
}

extension TransposeConv: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    var operation = self
    operation.arithmetic = arithmetic.delegated(to: processor)
    return operation
  }
}
