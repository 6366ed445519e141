import OcellusKernelABI

/// The conversion of a quantized operator's sums of products to the integers of its output.
package struct Requantization: Sendable {
  /// The rounding of an operator's official kernel.
  package enum Rounding: Sendable {
    /// In fixed point, with a multiplier for each scale, computed in double precision.
    case fixedPoint
    /// In fixed point, with one multiplier from a product in single precision, which the
    /// bias's scale has to match: `GetQuantizedConvolutionMultipler`.
    case fixedPointFromSinglePrecision
    /// In double precision, rounded once.
    case doublePrecision
    /// In single precision, with one factor and ties to even: XNNPACK's rounding.
    case singlePrecision
    /// Exactly, with the same factor, half up: XNNPACK's rounding of `uint8` on Arm.
    case halfUp

    /// Whether factors are integers with a shift.
    var isFixedPoint: Bool { self == .fixedPoint || self == .fixedPointFromSinglePrecision }
  }

  package private(set) var rounding: Rounding
  private let inputType: ElementType
  /// The type of sums: `int32`, or `int64` for `int16` inputs unless `quantized_bias_type` says
  /// otherwise.
  package let sumType: ElementType
  package var inputZeroPoint: Int
  package var weightZeroPoint: Int
  package var outputZeroPoint: Int
  /// The factors from sums to steps of the output: one for all channels, or one for each.
  package let realMultipliers: [Double]
  /// The factors in single precision, computed in the order of XNNPACK.
  package let singleMultipliers: [Float]
  /// The factors in fixed point.
  package let multipliers: [FixedPointMultiplier]
  /// The integers that results are clamped to.
  package let range: ClosedRange<Int32>

  /// Decodes the quantization of the tensors and checks that they fit each other.
  package init(
    input: TensorSpec, weights: TensorSpec, output: TensorSpec, activation: FusedActivation,
    rounding: Rounding, sumType: ElementType = .int32, node: NodeSpec
  ) throws(ModelError) {
    let inputQuantization = try node.perTensorQuantization(of: input)
    let outputQuantization = try node.perTensorQuantization(of: output)
    guard let weightQuantization = weights.quantization, !weightQuantization.scales.isEmpty else {
      throw node.error("weights \(weights.label) are not quantized")
    }
    let scales = weightQuantization.scales
    if weightQuantization.isPerChannel {
      let axis = weightQuantization.axis
      try node.require(
        input.type != .uint8, "\(weights.label) has a scale per channel, for uint8 inputs")
      try node.require(
        weights.shape.dimensions.indices.contains(axis) && weights.shape[axis] == scales.count,
        "\(weights.label) of shape \(weights.shape) has \(scales.count) scales")
    }
    self.rounding = rounding
    inputType = input.type
    self.sumType = sumType
    inputZeroPoint = inputQuantization.zeroPoint
    // Kernels with a multiplier for each scale assume symmetric weights.
    weightZeroPoint =
      weightQuantization.isPerChannel || rounding == .fixedPoint
      ? 0 : weightQuantization.zeroPoint
    outputZeroPoint = outputQuantization.zeroPoint
    let (inputScale, outputScale) = (inputQuantization.scale, Double(outputQuantization.scale))
    realMultipliers = scales.map { scale in
      rounding == .fixedPointFromSinglePrecision
        ? Double(inputScale * scale) / outputScale
        : Double(inputScale) * Double(scale) / outputScale
    }
    singleMultipliers = scales.map { inputScale * $0 / outputQuantization.scale }
    multipliers = try realMultipliers.map { real throws(ModelError) in
      guard let multiplier = FixedPointMultiplier(real) else {
        throw node.error("the scales of \(weights.label) and its operands make \(real)")
      }
      return multiplier
    }
    range = try activation.quantizedRange(of: output, node: node)
  }

  /// Returns one multiplier for each of `channels` channels.
  ///
  /// - Precondition: there is one for all or one for each.
  package func multipliers(channels: Int) -> [FixedPointMultiplier] {
    Self.spread(multipliers, over: channels)
  }

  /// Returns one real multiplier for each channel, as `multipliers(channels:)`.
  package func realMultipliers(channels: Int) -> [Double] {
    Self.spread(realMultipliers, over: channels)
  }

  /// Returns one multiplier in single precision for each channel, as `multipliers(channels:)`.
  package func singleMultipliers(channels: Int) -> [Float] {
    Self.spread(singleMultipliers, over: channels)
  }

  /// Returns the conversion with XNNPACK's rounding on a processor.
  func delegated(to processor: LiteRTProcessor) -> Self {
    var requantization = self
    requantization.rounding =
      processor == .neon && inputType == .uint8 ? .halfUp : .singlePrecision
    return requantization
  }

  private static func spread<Value>(_ values: [Value], over count: Int) -> [Value] {
    if values.count == 1 { return Array(repeating: values[0], count: count) }
    precondition(values.count == count, "multipliers for another number of channels")
    return values
  }
}

extension NodeSpec {
  /// Throws unless the bias has the scale of the products that it is added to.
  ///
  /// The official kernels require this where weights have one scale. They tolerate a difference
  /// that changes a bias of 1 by at most 0.02 steps of the output.
  package func requireBiasScale(
    of bias: TensorSpec?, input: TensorSpec, weights: TensorSpec, output: TensorSpec
  ) throws(ModelError) {
    guard let bias else { return }
    let productScale =
      Double(input.quantization?.scale ?? 0) * Double(weights.quantization?.scale ?? 0)
    let biasScale = Double(bias.quantization?.scale ?? 0)
    let outputScale = Double(output.quantization?.scale ?? 0)
    try require(
      abs(productScale - biasScale) / outputScale <= 0.02,
      "the scale \(biasScale) of bias \(bias.label) is not \(productScale) as of the products")
  }
}
