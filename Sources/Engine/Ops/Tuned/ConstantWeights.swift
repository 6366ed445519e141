import OcellusKernelABI

/// The weights and biases of an operator in the form that packing takes, if they are known when
/// it is planned.
struct ConstantWeights {
  let weights: TensorView
  let bias: TensorView?

  /// Takes the second operand of a node and, where there is one, the third or another.
  init?(_ context: PlanContext, bias position: Int = 2) {
    guard let weights = context.constants[1] else { return nil }
    self.weights = weights
    let hasBias = context.node.optionalInput(position) != nil
    bias = hasBias ? context.constants[position] : nil
    if hasBias && bias == nil { return nil }
  }

  /// Calls `body` with `float32` weights and biases.
  func withFloats(
    _ body: (_ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?) -> Void
  ) {
    guard let weights = weights.values(Float.self).baseAddress else { return }
    body(weights, bias.flatMap { UnsafePointer($0.values(Float.self).baseAddress) })
  }

  /// The biases of float sums, or none.
  var floatBias: [Float] { bias.map { Array($0.values(Float.self)) } ?? [] }

  /// The biases in 32 bits: where sums are added up in these, wider biases wrap around.
  var narrowBias: [Int32] {
    guard let bias else { return [] }
    return bias.type == .int64
      ? bias.values(Int64.self).map { Int32(truncatingIfNeeded: $0) }
      : Array(bias.values(Int32.self))
  }

  /// The biases in 64 bits.
  var wideBias: [Int64] {
    guard let bias else { return [] }
    return bias.type == .int64
      ? Array(bias.values(Int64.self)) : bias.values(Int32.self).map { Int64($0) }
  }

  /// Calls `body` with 8-bit weights, unpacked if need be.
  func withWeightBytes(_ body: (UnsafeRawPointer) -> Void) {
    if weights.type.byteWidth == nil {
      weights.unpackedElements().withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { body(start) }
      }
    } else if let start = weights.bytes.baseAddress {
      body(start)
    }
  }

  /// Whether no weight is infinite or NaN: a product with the zeros of the padding would show it.
  var areFinite: Bool { weights.values(Float.self).allSatisfy(\.isFinite) }
}
