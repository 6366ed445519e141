/// The arithmetic of an operator with constant weights in the form that tuned kernels take, chosen
/// once for GEMM, transposed convolutions and depthwise ones.
enum KernelArithmetic {
  /// Floats, clamped.
  case float(ClosedRange<Float>)
  /// 16-bit inputs and 8-bit weights.
  case int16(Int16KernelSpec)
  /// 8-bit inputs and weights.
  case bytes(QuantizedKernelSpec)
  /// Floats that are rounded to bytes at run time.
  case hybrid(HybridWeights)

  /// - Returns: `nil` for arithmetic that only the reference computes.
  init?(
    _ arithmetic: WeightedArithmetic, _ constants: ConstantWeights, _ context: PlanContext,
    channels: Int, input: Int = 0
  ) {
    switch arithmetic {
    case .float(let range): self = .float(range)
    case .hybrid(let hybrid):
      if hybrid.lastChannelCount > 0 { return nil }
      self = .hybrid(hybrid)
    case .plainIntegers: return nil
    case .quantized(let requantization):
      if constants.weights.type != .int16,
        let spec = Int16KernelSpec(
          requantization, bias: constants.bias64, context, channels: channels, input: input)
      {
        self = .int16(spec)
        return
      }
      guard
        let bytes = QuantizedKernelSpec(requantization, context, channels: channels, input: input)
      else { return nil }
      self = .bytes(bytes)
    }
  }
}
