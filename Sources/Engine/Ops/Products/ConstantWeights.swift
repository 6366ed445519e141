import OcellusKernelABI

/// The weights and biases of an operator in the form that packing takes, if they are known when
/// it is planned.
struct ConstantWeights {
  let weights: TensorView
  let bias: TensorView?
  /// Whether output channels are the last dimension of the weights, as DEPTHWISE_CONV_2D has them,
  /// and packing wants them to be the first.
  var areTransposed = false

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
  var floatBias: [Float] { bias?.floatBiases ?? [] }

  /// The biases in 32 bits: where sums are added up in these, wider biases wrap around.
  var narrowBias: [Int32] { bias?.integerBiases() ?? [] }

  /// The biases in 64 bits.
  var wideBias: [Int64] { bias?.integerBiases() ?? [] }

  /// Calls `body` with the weights channel by channel, those of less than a byte unpacked.
  func withWeightBytes(_ body: (UnsafeRawPointer) -> Void) {
    if weights.type.byteWidth == nil {
      weights.unpackedElements().withUnsafeBytes { withChannelsFirst($0, width: 1, body) }
    } else {
      withChannelsFirst(
        UnsafeRawBufferPointer(weights.bytes), width: weights.type.byteWidth ?? 1, body)
    }
  }

  private func withChannelsFirst(
    _ bytes: UnsafeRawBufferPointer, width: Int, _ body: (UnsafeRawPointer) -> Void
  ) {
    guard areTransposed, let channelCount = weights.shape.dimensions.last, channelCount > 0 else {
      if let start = bytes.baseAddress { body(start) }
      return
    }
    let depth = bytes.count / width / channelCount
    var transposed: [UInt8] = []
    transposed.reserveCapacity(bytes.count)
    for channel in 0..<channelCount {
      for element in 0..<depth {
        let first = (element * channelCount + channel) * width
        transposed += bytes[first..<first + width]
      }
    }
    transposed.withUnsafeBytes { if let start = $0.baseAddress { body(start) } }
  }

  /// Whether no weight is infinite or NaN: a product with the zeros of the padding would show it.
  var areFinite: Bool { weights.values(Float.self).allSatisfy(\.isFinite) }
}

extension TensorView {
  /// The biases of float sums.
  var floatBiases: [Float] { Array(values(Float.self)) }

  /// The biases of sums of integers.
  func integerBiases<Sum: FixedWidthInteger>() -> [Sum] {
    type == .int64
      ? values(Int64.self).map { Sum(truncatingIfNeeded: $0) }
      : values(Int32.self).map { Sum(truncatingIfNeeded: $0) }
  }
}
