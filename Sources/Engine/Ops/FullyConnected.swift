import OcellusKernelABI
import OcellusModelFile

/// FULLY_CONNECTED: rows of the input times a matrix of weights, one row for each output.
package struct FullyConnected: Operator {
  package static let definition = OperatorDefinition(
    "FULLY_CONNECTED", versions: 1...14, types: [.float32, .uint8, .int8, .int16],
    make: { node throws(ModelError) in try Self(node) })

  /// How rows are multiplied; `nil` where they have no elements, since then scales do not count.
  package let arithmetic: WeightedSum?
  /// Whether the output has as many dimensions as the input; else it has two.
  package let keepsDimensions: Bool
  package let activation: FusedActivation

  init(_ node: NodeSpec) throws(ModelError) {
    try node.requireOperands(2...3)
    let (input, weights) = (try node.input(0), try node.input(1))
    let output = try node.output(0)
    let options = node.options(BuiltinOptionsTag.fullyConnected)
    activation = try FusedActivation(options, field: 0)
    keepsDimensions = try options.bool(2)
    let format = try options.integer(1, as: Int8.self)
    try node.require(format == 0, "weights have the unknown format \(format)")
    switch (input.type, weights.type) {
    case _ where weights.shape.rank == 2 && weights.shape[1] == 0:
      arithmetic = nil
    case (.float32, .float32):
      arithmetic = .float(activation.floatRange)
    case (.float32, _):
      arithmetic = .hybrid(
        try Self.hybridWeights(
          node, activation, roundsAsymmetrically: try options.bool(3)))
    default:
      arithmetic = .quantized(
        try Self.requantization(
          node, activation: activation,
          sumType: try node.sumType(
            options, field: 4, input: input, bias: node.optionalInput(2))))
    }
    if input.type == .float32 {
      try node.require(output, .float32)
      if let bias = node.optionalInput(2) { try node.require(bias, .float32) }
    }
    if input.type != .float32 || weights.type == .float32 {
      try node.require(
        !activation.isUnlimited || activation == .none, "cannot apply the activation \(activation)")
    }
  }

  private static func hybridWeights(
    _ node: NodeSpec, _ activation: FusedActivation, roundsAsymmetrically: Bool
  ) throws(ModelError) -> HybridWeights {
    let weights = try node.input(1)
    try node.require(weights, .int8, .int4, .int2, .uint8)
    if weights.type == .int4 || weights.type == .int2 { try node.requireSymmetric(weights) }
    let quantization = weights.quantization
    if let quantization, quantization.isPerChannel {
      try node.require(
        weights.shape.dimensions.indices.contains(quantization.axis)
          && weights.shape[quantization.axis] == quantization.scales.count,
        "\(weights.label) of shape \(weights.shape) has \(quantization.scales.count) scales")
    }
    return HybridWeights(
      scales: quantization?.scales ?? [0], roundsAsymmetrically: roundsAsymmetrically,
      range: activation.isUnlimited ? -Float.infinity...Float.infinity : activation.floatRange)
  }

  private static func requantization(
    _ node: NodeSpec, activation: FusedActivation, sumType: ElementType
  ) throws(ModelError) -> Requantization {
    let (input, weights) = (try node.input(0), try node.input(1))
    let (bias, output) = (node.optionalInput(2), try node.output(0))
    switch input.type {
    case .uint8:
      try node.require(weights, .uint8)
      try node.require(output, .uint8, .int16)
    case .int8:
      try node.require(weights, .int8, .int4, .int2)
      try node.require(output, .int8)
    default:
      try node.require(weights, .int8, .int4, .int2, .int16)
      try node.require(output, .int16)
      try node.requireSymmetric(input, output)
    }
    if let bias { try node.require(bias, .int32, .int64) }
    if weights.type == .int4 || weights.type == .int2 { try node.requireSymmetric(weights) }
    if weights.quantization?.isPerChannel == true {
      try node.require(weights.quantization?.axis == 0, "scales must be per output")
    } else {
      try node.requireBiasScale(of: bias, input: input, weights: weights, output: output)
    }
    let isPerChannel = weights.quantization?.isPerChannel ?? false
    return try Requantization(
      input: input, weights: weights, output: output, activation: activation,
      rounding: weights.type != .int16
        ? .doublePrecision : isPerChannel ? .fixedPoint : .fixedPointFromSinglePrecision,
      sumType: sumType, node: node)
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, weights) = (context.shape(0), context.shape(1))
    try context.require(weights.rank == 2, "the weights must have 2 dimensions")
    let (unitCount, depth) = (weights[0], weights[1])
    if depth > 0 {
      guard let arithmetic else { throw context.error("the weights have lost their shape") }
      try context.requireChannels(unitCount, bias: 2, arithmetic)
    }
    guard keepsDimensions else {
      try context.require(depth > 0 || input.rank > 0, "weights without depth need a batch")
      let batch =
        depth > 0 ? input.elementCount / depth : input.product(of: 0..<input.rank - 1)
      return [Shape([batch, unitCount])]
    }
    try context.require(
      input.rank > 0 && (depth == 0 || input[-1] == depth),
      "the last dimension of the input is not the depth of the weights")
    return [Shape(input.dimensions.dropLast() + [unitCount])]
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    saturatingProduct(context.shape(0).elementCount, context.shape(1)[0])
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let weights = context.inputShapes[1], let arithmetic else { return nil }
    let rows = context.outputShapes[0].elementCount / weights[0]
    let product = MatrixProduct(
      patches: PatchGeometry(matrixOf: rows, depth: weights[1]), rowCount: rows,
      outputChannels: weights[0], groupCount: 1)
    return product.step(arithmetic, context)
  }

  package func run(_ context: RunContext) throws(ModelError) {
    let (input, weights, output) = (context.input(0), context.input(1), context.output(0))
    guard output.elementCount > 0 else { return }
    let (unitCount, depth) = (weights.shape[0], weights.shape[1])
    guard depth > 0, let arithmetic else {
      // No products, and the official kernel leaves out the bias too.
      output.bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return
    }
    arithmetic.run(
      MatrixVectorLoop(depth: depth),
      WeightedOperands(
        input: input, weights: weights, bias: context.optionalInput(2), output: output,
        batchCount: output.elementCount / unitCount, inputsPerItem: depth,
        channelCount: unitCount))
    if case .hybrid = arithmetic, activation.isUnlimited {
      activation.apply(to: output.values(Float.self))
    }
  }
}
