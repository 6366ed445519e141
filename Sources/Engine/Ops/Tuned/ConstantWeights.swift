import OcellusKernelABI

/// The weights and biases of an operator in the form that packing takes, if they are known when
/// it is planned.
struct ConstantWeights {
  let weights: TensorView
  let bias: TensorView?

  /// Takes the second and third operand of a node.
  init?(_ context: PlanContext) {
    guard let weights = context.constants[1] else { return nil }
    self.weights = weights
    let hasBias = context.node.optionalInput(2) != nil
    bias = hasBias ? context.constants[2] : nil
    if hasBias && bias == nil { return nil }
  }

  /// Calls `body` with `float32` weights and biases.
  func withFloats(
    _ body: (_ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?) -> Void
  ) {
    guard let weights = weights.values(Float.self).baseAddress else { return }
    body(weights, bias.flatMap { UnsafePointer($0.values(Float.self).baseAddress) })
  }

  /// Calls `body` with 8-bit weights, unpacked if need be, and 32-bit biases.
  func withBytes(
    _ body: (_ weights: UnsafeRawPointer, _ bias: UnsafePointer<Int32>?) -> Void
  ) {
    guard bias?.type == .int64 else {
      return withWeightBytes { body($0, bias.flatMap { $0.values(Int32.self).baseAddress }) }
    }
    // Sums of 8-bit products are added up in 32 bits, so wider biases wrap around.
    let narrow = bias.map { $0.values(Int64.self).map { Int32(truncatingIfNeeded: $0) } } ?? []
    narrow.withUnsafeBufferPointer { narrow in withWeightBytes { body($0, narrow.baseAddress) } }
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
