import OcellusKernelABI

/// The parameters of quantized tensors that kernels for 16-bit activations need.
struct Int16KernelSpec {
  /// Empty, or one for each output channel.
  let bias: [Int64]
  let range: QuantizedRange
  private let requantization: Requantization
  private let channelCount: Int

  /// - Returns: `nil` for other types, and for parameters that only the reference takes.
  init?(
    _ requantization: Requantization, bias: [Int64], _ context: PlanContext, channels: Int,
    input position: Int = 0
  ) {
    guard context.node.inputs[position]?.type == .int16,
      context.node.outputs[0].type == .int16,
      requantization.inputZeroPoint == 0, requantization.weightZeroPoint == 0,
      requantization.outputZeroPoint == 0,
      requantization.multipliers.allSatisfy({ $0.fraction >= 0 && $0.exponent <= 15 }),
      requantization.rounding != .doublePrecision
        || requantization.realMultipliers.allSatisfy(\.isFinite)
    else { return nil }
    self.bias = bias
    self.requantization = requantization
    channelCount = channels
    range = QuantizedRange(
      zeroPoint: 0, minimum: requantization.range.lowerBound,
      maximum: requantization.range.upperBound)
  }

  /// Calls `body` with the multipliers of columns that belong to these channels.
  func withMultipliers(
    of channels: [Int], _ body: (Int16SumScaling) -> Void
  ) {
    let has32BitSums = requantization.sumType == .int32
    if requantization.rounding == .doublePrecision {
      let multipliers = requantization.realMultipliers(channels: channelCount)
      channels.map { multipliers[$0] }.withUnsafeBufferPointer { multipliers in
        guard let start = multipliers.baseAddress else { return }
        body(has32BitSums ? .sums32Real(multipliers: start) : .real(multipliers: start))
      }
      return
    }
    let multipliers = requantization.multipliers(channels: channelCount)
    let columns = channels.map { multipliers[$0] }
    let fractions = columns.map { has32BitSums ? $0.fraction : $0.reducedFraction }
    let shifts = columns.map { Int32(has32BitSums ? $0.exponent : 15 - $0.exponent) }
    fractions.withUnsafeBufferPointer { fractions in
      shifts.withUnsafeBufferPointer { shifts in
        guard let fractions = fractions.baseAddress, let shifts = shifts.baseAddress
        else { return }
        body(
          has32BitSums
            ? .sums32(multipliers: fractions, shifts: shifts)
            : .sums64(multipliers: fractions, rightShifts: shifts))
      }
    }
  }
}
