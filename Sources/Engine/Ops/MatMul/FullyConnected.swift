import OcellusKernelABI
import OcellusModelFile

/// FULLY_CONNECTED: rows of the input times a matrix of weights with one row for each output.
package struct FullyConnected: Operator {
  package static let definition = OperatorDefinition(
    "FULLY_CONNECTED", versions: 1...14, types: [.float32, .uint8, .int8, .int16],
    sparseInputs: [1], make: { node throws(ModelError) in try Self(node) })

  /// The storage format of the matrix of weights.
  package enum Weights: Sendable {
    case rows
    case sparse(SparseLayout)
    case shuffled
    case blockwise(BlockwiseWeights)
  }

  package let weights: Weights
  /// The arithmetic; `nil` where rows have no elements, since scales do not matter then.
  package private(set) var arithmetic: WeightedArithmetic?
  /// Whether the output has as many dimensions as the input; else it has two.
  package let keepsDimensions: Bool
  package let activation: FusedActivation
  /// Whether the bits are those of LiteRT's built-in kernel, instead of the reference kernel's.
  var isBuiltIn = false
  /// The shape of the second result of a node with shuffled weights, which is scratch of the
  /// official kernel.
  private let workspace: Shape?

  init(_ node: NodeSpec) throws(ModelError) {
    let options = node.options(BuiltinOptionsTag.fullyConnected)
    activation = try FusedActivation(options, field: 0)
    keepsDimensions = try options.bool(2)
    let isShuffled = try options.choice(1, of: WeightsFormat.self, named: "format") == .shuffled
    try node.requireOperands(2...3, outputs: isShuffled ? 2...2 : 1...1)
    workspace = isShuffled ? try node.output(1).shape : nil
    let (input, matrix) = (try node.input(0), try node.input(1))
    weights = try Self.weights(node, isShuffled: isShuffled)
    if matrix.shape.rank == 2 && matrix.shape[1] == 0 {
      arithmetic = nil
    } else if input.type != .float32 {
      arithmetic = .quantized(try Self.requantization(node, weights, activation, options))
    } else if matrix.type == .float32 {
      arithmetic = .float(activation.floatRange)
    } else {
      arithmetic = .hybrid(
        try Self.hybridWeights(node, activation, roundsAsymmetrically: try options.bool(3)))
    }
    if input.type == .float32 {
      try node.require(try node.output(0), .float32)
      if let bias = node.optionalInput(2) { try node.require(bias, .float32) }
    }
    if input.type != .float32 || matrix.type == .float32 {
      try node.require(
        !activation.isUnlimited || activation == .none, "cannot apply the activation \(activation)")
    }
  }

  /// The schema's `FullyConnectedOptionsWeightsFormat`.
  private enum WeightsFormat: Int {
    case rows = 0
    case shuffled = 1
  }

  private static func weights(
    _ node: NodeSpec, isShuffled: Bool
  ) throws(ModelError) -> Weights {
    let (input, matrix) = (try node.input(0), try node.input(1))
    if isShuffled {
      try node.require(input, .uint8)
      try node.require(matrix, .uint8)
      try node.require(try node.output(0), .int16)
      try node.require(try node.output(1), .uint8)
      try node.require(
        matrix.shape.rank == 2 && matrix.shape[0] % ShuffledWeights.tileRows == 0
          && matrix.shape[1] % ShuffledWeights.tileColumns == 0,
        "shuffled weights cannot have the shape \(matrix.shape)")
      return .shuffled
    }
    if matrix.sparsity != nil {
      try node.require(matrix, .float32, .int8)
      return .sparse(try SparseLayout(of: matrix, node: node))
    }
    if input.type == .float32, matrix.quantization?.blockwise != nil {
      try node.require(matrix, .int4)
      return .blockwise(try BlockwiseWeights(matrix, node: node))
    }
    return .rows
  }

  private static func hybridWeights(
    _ node: NodeSpec, _ activation: FusedActivation, roundsAsymmetrically: Bool
  ) throws(ModelError) -> HybridWeights {
    let matrix = try node.input(1)
    try node.require(matrix, .int8, .int4, .int2, .uint8)
    if matrix.type == .int4 || matrix.type == .int2 { try node.requireSymmetric(matrix) }
    let scales = matrix.quantization?.scales ?? []
    if scales.count > 1, let axis = matrix.quantization?.axis {
      try node.require(
        matrix.shape.dimensions.indices.contains(axis) && matrix.shape[axis] == scales.count,
        "\(matrix.label) of shape \(matrix.shape) has \(scales.count) scales")
    }
    return HybridWeights(
      scales: scales.isEmpty ? [0] : scales, roundsAsymmetrically: roundsAsymmetrically,
      range: activation.isUnlimited
        ? -Float.infinity...Float.infinity : activation.floatRange)
  }

  private static func requantization(
    _ node: NodeSpec, _ weights: Weights, _ activation: FusedActivation, _ options: OptionReader
  ) throws(ModelError) -> Requantization {
    let (input, matrix) = (try node.input(0), try node.input(1))
    let (bias, output) = (node.optionalInput(2), try node.output(0))
    try requireTypes(node)
    if matrix.type == .int4 || matrix.type == .int2 { try node.requireSymmetric(matrix) }
    let isPerChannel = matrix.quantization?.isPerChannel ?? false
    if isPerChannel {
      try node.require(matrix.quantization?.axis == 0, "scales must be per output")
    } else {
      try node.requireBiasScale(of: bias, input: input, weights: matrix, output: output)
    }
    let fixedPoint: Requantization.Rounding =
      isPerChannel ? .fixedPoint : .fixedPointFromSinglePrecision
    let rounding =
      switch weights {
      case .sparse, .shuffled: fixedPoint
      case .rows, .blockwise: matrix.type == .int16 ? fixedPoint : .doublePrecision
      }
    var requantization = try Requantization(
      input: input, weights: matrix, output: output, activation: activation, rounding: rounding,
      sumType: try node.sumType(options, field: 4, input: input, bias: bias), node: node)
    if case .shuffled = weights {
      requantization.inputZeroPoint = ShuffledWeights.zeroPoint
      requantization.weightZeroPoint = ShuffledWeights.zeroPoint
      requantization.outputZeroPoint = 0
    }
    return requantization
  }

  private static func requireTypes(_ node: NodeSpec) throws(ModelError) {
    let (input, matrix) = (try node.input(0), try node.input(1))
    let output = try node.output(0)
    switch input.type {
    case .uint8:
      try node.require(matrix, .uint8)
      try node.require(output, .uint8, .int16)
    case .int8:
      try node.require(matrix, .int8, .int4, .int2)
      try node.require(output, .int8)
    default:
      try node.require(matrix, .int8, .int4, .int2, .int16)
      try node.require(output, .int16)
      try node.requireSymmetric(input, output)
    }
    if matrix.sparsity != nil {
      try node.require(input, .int8)
      try node.requireSymmetric(matrix)
    }
    if let bias = node.optionalInput(2) { try node.require(bias, .int32, .int64) }
  }

  package func outputShapes(_ context: ShapeContext) throws(ModelError) -> [Shape] {
    let (input, matrix) = (context.shape(0), context.shape(1))
    try context.require(matrix.rank == 2, "the weights must have 2 dimensions")
    let (unitCount, depth) = (matrix[0], matrix[1])
    if depth > 0 {
      guard let arithmetic else { throw context.error("the weights have lost their shape") }
      try context.requireChannels(unitCount, bias: 2, arithmetic)
    }
    switch weights {
    case .rows: break
    case .sparse, .shuffled, .blockwise:
      // Decoded for the shape in the file, which weights that are not constant may lose.
      try context.require(matrix == context.node.inputs[1]?.shape, "the weights changed shape")
    }
    let output: Shape
    if keepsDimensions {
      try context.require(
        input.rank > 0 && (depth == 0 || input[-1] == depth),
        "the last dimension of the input is not the depth of the weights")
      output = Shape(input.dimensions.dropLast() + [unitCount])
    } else {
      try context.require(depth > 0 || input.rank > 0, "weights without depth need a batch")
      let batch =
        depth > 0 ? input.elementCount / depth : input.product(of: 0..<input.rank - 1)
      output = [batch, unitCount]
    }
    return [output] + (workspace.map { [$0] } ?? [])
  }

  package func multiplyAdds(_ context: ShapeContext) -> Int {
    saturatingProduct(context.shape(0).elementCount, context.shape(1)[0])
  }

  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let arithmetic, let matrix = context.inputShapes[1] else { return nil }
    let rowCount = context.outputShapes[0].elementCount / matrix[0]
    if case .blockwise(let blocks) = weights {
      return BlockwiseMatrixMultiplication(
        weights: blocks, rowCount: rowCount, depth: matrix[1], outputChannels: matrix[0]
      ).step(context)
    }
    guard case .rows = weights else { return nil }
    if isBuiltIn, case .float(let range) = arithmetic {
      let product = BuiltInProduct(rows: rowCount, columns: matrix[0], depth: matrix[1])
      return builtInStep(product, range, context)
    }
    if case .hybrid = arithmetic, activation.isUnlimited, activation != .none { return nil }
    return step(arithmetic, context)
  }

  /// Returns a step for weights that are computed, with constant biases or none.
  private func pairStep(
    _ arithmetic: WeightedArithmetic, _ products: MatrixPairs, _ context: PlanContext
  ) -> Step? {
    let hasBias = context.node.optionalInput(2) != nil
    let bias = hasBias ? context.constants[2] : nil
    guard !hasBias || bias != nil else { return nil }
    switch arithmetic {
    case .float(let range):
      let kernel = FloatPairGEMM(
        context, products, bias: bias?.floatBiases ?? [], range: range)
      return BatchGEMM.step(kernel, products, context)
    case .quantized(let requantization):
      guard
        let arithmetic = QuantizedKernelSpec(requantization, context, channels: products.columns),
        context.node.inputs[1]?.type.byteWidth == 1
      else { return nil }
      let kernel = QuantizedPairGEMM(
        context, products, arithmetic, bias: bias?.integerBiases() ?? [])
      return BatchGEMM.step(kernel, products, context)
    case .hybrid, .plainIntegers:
      return nil
    }
  }

  package func plan(
    _ context: PlanContext, clampingTo range: ClosedRange<Float>
  ) throws(ModelError) -> Step? {
    guard let clamped = arithmetic?.clamped(to: range), activation == .none, case .rows = weights,
      !isBuiltIn
    else { return nil }
    return step(clamped, context)
  }

  func step(_ arithmetic: WeightedArithmetic, _ context: PlanContext) -> Step? {
    guard let matrix = context.inputShapes[1] else { return nil }
    if case .float = arithmetic,
      !FloatChains.ofMatrix(columns: matrix[0], on: context.delegateProcessor).areTuned
    {
      return nil
    }
    let rows = context.outputShapes[0].elementCount / matrix[0]
    guard context.constants[1] != nil else {
      let products = MatrixPairs(
        rows: rows, depth: matrix[1], columns: matrix[0], transposesRight: true)
      return pairStep(arithmetic, products, context)
    }
    let product = MatrixMultiplication(
      patches: PatchGeometry(matrixOf: rows, depth: matrix[1]), rowCount: rows,
      itemCount: rows, elementsPerItem: matrix[1], outputChannels: matrix[0], groupCount: 1)
    return product.step(arithmetic, context)
  }
}

extension FullyConnected: Delegable {
  func delegated(to processor: LiteRTProcessor) -> Self {
    var operation = self
    operation.arithmetic = arithmetic?.delegated(to: processor).ofRows(on: processor)
    return operation
  }
}
