/// The arithmetic of an operator with constant weights as the tuned kernels take it: chosen once for
/// matrix products, transposed convolutions and depthwise ones.
enum KernelArithmetic {
  /// Floats, clamped.
  case float(ClosedRange<Float>)
  /// 16-bit inputs and 8-bit weights.
  case int16(Int16ProductSpec)
  /// Bytes.
  case bytes(ByteProductSpec)
  /// Floats that are rounded to bytes on the way.
  case hybrid(HybridWeights)

  /// - Returns: `nil` for what only the reference computes.
  init?(
    _ arithmetic: WeightedSum, _ constants: ConstantWeights, _ context: PlanContext,
    channels: Int, input: Int = 0
  ) {
    switch arithmetic {
    case .float(let range): self = .float(range)
    case .hybrid(let hybrid): self = .hybrid(hybrid)
    case .plainIntegers: return nil
    case .quantized(let requantization):
      if constants.weights.type != .int16,
        let wide = Int16ProductSpec(
          requantization, bias: constants.wideBias, context, channels: channels, input: input)
      {
        self = .int16(wide)
        return
      }
      guard
        let bytes = ByteProductSpec(requantization, context, channels: channels, input: input)
      else { return nil }
      self = .bytes(bytes)
    }
  }
}
