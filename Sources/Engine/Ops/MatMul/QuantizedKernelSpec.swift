import OcellusKernelABI

/// The parameters of quantized tensors that 8-bit kernels need.
struct QuantizedKernelSpec {
  let input: QuantizedFormat
  let filter: QuantizedFormat
  let range: QuantizedRange
  let requantization: Requantization
  private let channelCount: Int

  /// Takes the quantization of a node whose input, weights and output have at most 8 bits.
  ///
  /// - Returns: `nil` for other types, and for parameters that only the reference takes: zero
  ///   points outside the range of the type, and negative or infinite scales.
  init?(
    _ requantization: Requantization, _ context: PlanContext, channels: Int, input position: Int = 0
  ) {
    guard let input = context.node.inputs[position], let weights = context.node.inputs[1],
      input.type == .int8 || input.type == .uint8, context.node.outputs[0].type == input.type,
      requantization.sumType == .int32
    else { return nil }
    let inputBytes = input.type == .int8 ? -128...127 : 0...255
    let weightBytes = weights.type == .uint8 ? 0...255 : -128...127
    guard inputBytes.contains(requantization.inputZeroPoint),
      weightBytes.contains(requantization.weightZeroPoint),
      inputBytes.contains(requantization.outputZeroPoint),
      requantization.multipliers.allSatisfy({ $0.fraction >= 0 }),
      requantization.rounding != .doublePrecision
        || requantization.realMultipliers.allSatisfy(\.isFinite)
    else { return nil }
    self.input = QuantizedFormat(
      isSigned: input.type == .int8, zeroPoint: Int32(requantization.inputZeroPoint))
    filter = QuantizedFormat(
      isSigned: weights.type != .uint8, zeroPoint: Int32(requantization.weightZeroPoint))
    range = QuantizedRange(
      zeroPoint: Int32(requantization.outputZeroPoint),
      minimum: requantization.range.lowerBound, maximum: requantization.range.upperBound)
    self.requantization = requantization
    channelCount = channels
  }

  /// The form of the results of a GEMM problem.
  var results: GEMMProblem.Results {
    requantization.rounding.isFixedPoint ? .bytes : .bytesOfRealScales
  }

  /// Calls `body` with the multipliers of the channels from `first` on.
  func withMultipliers(
    from first: Int, _ body: (SumScaling) -> Void
  ) {
    withMultipliers(of: Array(first..<channelCount), body)
  }

  /// Calls `body` with the multipliers of columns that belong to these channels.
  func withMultipliers(
    of channels: [Int], _ body: (SumScaling) -> Void
  ) {
    withRequantization(multipliers(of: channels), of: channels, body)
  }

  /// Returns the fixed-point multipliers of columns that belong to these channels.
  func multipliers(of channels: [Int]) -> [FixedPointMultiplier] {
    let multipliers = requantization.multipliers(channels: channelCount)
    return channels.map { multipliers[$0] }
  }

  /// Calls `body` with these multipliers, or with those in floating point if the operator rounds
  /// that way.
  func withRequantization(
    _ multipliers: [FixedPointMultiplier], of channels: [Int],
    _ body: (SumScaling) -> Void
  ) {
    if requantization.rounding == .doublePrecision {
      let multipliers = requantization.realMultipliers(channels: channelCount)
      channels.map { multipliers[$0] }.withUnsafeBufferPointer { multipliers in
        if let start = multipliers.baseAddress { body(.real(multipliers: start)) }
      }
      return
    }
    if requantization.rounding == .singlePrecision {
      let multipliers = requantization.singleMultipliers(channels: channelCount)
      channels.map { multipliers[$0] }.withUnsafeBufferPointer { multipliers in
        if let start = multipliers.baseAddress { body(.single(multipliers: start)) }
      }
      return
    }
    if requantization.rounding == .halfUp {
      let factors = requantization.singleMultipliers(channels: channelCount).map {
        HalfUpFactor($0)
      }
      return HalfUpFactor.withScaling(channels.map { factors[$0] }, body)
    }
    let shifts = multipliers.map { Int32($0.exponent) }
    multipliers.map(\.fraction).withUnsafeBufferPointer { fractions in
      shifts.withUnsafeBufferPointer { shifts in
        guard let fractions = fractions.baseAddress, let shifts = shifts.baseAddress
        else { return }
        body(.fixedPoint(multipliers: fractions, shifts: shifts))
      }
    }
  }
}
