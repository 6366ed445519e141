import OcellusKernelABI

/// The weights and biases of an operator that are known when it is planned, as packing takes them.
struct ConstantWeights {
  let weights: TensorView
  let bias: TensorView?
  var transposition = Transposition.none
  private let dataMovement: DataMovement

  /// The transposition that packing needs, which wants output channels first for CONV_2D and last
  /// for DEPTHWISE_CONV_2D.
  enum Transposition: Int {
    case none
    case channelsToFront
    case channelsToBack
  }

  /// Takes the second operand of a node as weights and, where there is one, another as biases.
  init?(_ context: PlanContext, bias position: Int = 2) {
    guard let weights = context.constants[1] else { return nil }
    self.weights = weights
    dataMovement = context.kernels.dataMovement
    let hasBias = context.node.optionalInput(position) != nil
    bias = hasBias ? context.constants[position] : nil
    if hasBias && bias == nil { return nil }
  }

  /// Calls `body` with `float32` weights and biases.
  func withFloats(
    _ body: (_ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?) -> Void
  ) {
    withWeightBytes { weights in
      body(
        weights.assumingMemoryBound(to: Float.self),
        bias.flatMap { UnsafePointer($0.values(Float.self).baseAddress) })
    }
  }

  /// The biases of float sums; empty if there are none.
  var floatBias: [Float] { bias?.floatBiases ?? [] }

  /// The biases in 32 bits: wider ones wrap around, as sums in 32 bits do.
  var bias32: [Int32] { bias?.integerBiases() ?? [] }

  /// The biases in 64 bits.
  var bias64: [Int64] { bias?.integerBiases() ?? [] }

  /// Calls `body` with the weights in the order that packing takes, sub-byte weights unpacked.
  func withWeightBytes(_ body: (UnsafeRawPointer) -> Void) {
    if weights.type.byteWidth == nil {
      weights.unpackedElements().withUnsafeBytes { withTransposed($0, width: 1, body) }
    } else {
      withTransposed(
        UnsafeRawBufferPointer(weights.bytes), width: weights.type.byteWidth ?? 1, body)
    }
  }

  private func withTransposed(
    _ bytes: UnsafeRawBufferPointer, width: Int, _ body: (UnsafeRawPointer) -> Void
  ) {
    let shape = weights.shape
    let channelCount =
      transposition == .channelsToFront ? shape.dimensions.last : shape.dimensions.first
    guard let start = bytes.baseAddress else { return }
    // Kernels take weights of 1, 2 or 4 bytes.
    guard transposition != .none, let channelCount, channelCount > 0,
      let transpose = dataMovement.transpose(elementWidth: width)
    else { return body(start) }
    let depth = bytes.count / width / channelCount
    // The extents of the matrix as it is stored.
    let (rows, columns) =
      transposition == .channelsToFront ? (depth, channelCount) : (channelCount, depth)
    withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 64) { transposed in
      guard let target = transposed.baseAddress else { return }
      transpose(
        CopyArguments(
          source: start, target: target, rowCount: rows, columnCount: columns,
          sourceStride: columns * width, targetStride: rows * width))
      body(target)
    }
  }

  /// Whether no weight is infinite or NaN: multiplied by the zeros of padding, it would make a NaN.
  var areFinite: Bool { areFinite(asBFloat16: false) }

  /// Returns whether no weight is infinite or NaN, as it is or when it is rounded to bfloat16.
  ///
  /// If all bits of the exponent are set, adding one to it carries into the sign bit. Rounding adds
  /// at most half of the last place that bfloat16 keeps. The test vectorises, while a search would
  /// look at weights one by one.
  func areFinite(asBFloat16: Bool) -> Bool {
    let addend = Float.leastNormalMagnitude.bitPattern + (asBFloat16 ? 1 << 15 : 0)
    var carries: UInt32 = 0
    for weight in weights.values(Float.self) {
      carries |= weight.magnitude.bitPattern &+ addend
    }
    return carries >> 31 == 0
  }
}

extension TensorView {
  /// The biases of float sums.
  var floatBiases: [Float] { Array(values(Float.self)) }

  /// Returns the biases of sums of integers.
  func integerBiases<Sum: FixedWidthInteger>() -> [Sum] {
    type == .int64
      ? values(Int64.self).map { Sum(truncatingIfNeeded: $0) }
      : values(Int32.self).map { Sum(truncatingIfNeeded: $0) }
  }
}
