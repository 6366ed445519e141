import OcellusModelFile

// The built-in kernels whose bits are not those of the reference kernels.

extension LiteRTCoverage {
  /// Returns how the built-in kernel of an operator rounds otherwise than the reference kernel,
  /// which is computed instead; `nil` if it does not, or if its sums alone are others.
  static func gapOfRounding(
    _ node: NodeSpec, _ type: ElementType?, _ processor: Interpreter.LiteRTProcessor
  ) -> String? {
    let name = node.operatorName
    if name == "STABLEHLO_COMPOSITE" {
      return "XNNPACK computes attention as one node, which is not imitated"
    }
    if ["LOGISTIC", "TANH"].contains(name), type == .int16 {
      return "LiteRT's built-in kernel has another table than the reference kernel"
    }
    if ["ADD", "CONV_2D"].contains(name), type == .int16 {
      return "LiteRT's built-in kernel for 16 bits rounds otherwise than the reference kernel"
    }
    if name == "DEPTHWISE_CONV_2D", type == .float32, let weights = node.optionalInput(1),
      weights.type == .int8, weights.quantization?.isPerChannel == false
    {
      return "LiteRT reads a scale for each channel, from memory behind the only one, so that its "
        + "results are not determined"
    }
    let isOfFloats = type == .float32 || type == .complex64
    if name == "QUANTIZE" && !imitatesQuantize(node)
      || ["LOG_SOFTMAX", "LOCAL_RESPONSE_NORMALIZATION", "RFFT2D"].contains(name) && isOfFloats
    {
      return "LiteRT's built-in kernel rounds otherwise than the reference kernel"
    }
    let hasFusedProducts = ["ATAN2", "EMBEDDING_LOOKUP_SPARSE", "FAKE_QUANT"].contains(name)
    if processor == .neon, type == .float16 || type == .float32 && hasFusedProducts {
      return
        "LiteRT's built-in kernel for Arm fuses multiply-adds where the reference kernel does not"
    }
    return nil
  }

  /// Returns whether a node with sums has the bits of LiteRT's built-in kernel, though these are
  /// not those of the reference kernel.
  static func imitatesBuiltIn(_ node: NodeSpec) -> Bool {
    let weights = node.optionalInput(1)
    switch node.operatorName {
    case "FULLY_CONNECTED":
      return weights?.type == .float32 && weights?.sparsity == nil
    case "TRANSPOSE_CONV": return weights?.type == .float32
    case "LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM":
      return imitatesLSTM(node)
    case "RNN", "UNIDIRECTIONAL_SEQUENCE_RNN", "BIDIRECTIONAL_SEQUENCE_RNN", "SVDF": return true
    default: return false
    }
  }

  /// Returns whether a QUANTIZE has the bits of LiteRT's built-in kernel.
  static func imitatesQuantize(_ node: NodeSpec) -> Bool {
    let types = [node.optionalInput(0)?.type, node.outputs.first?.type]
    return switch types[0] {
    case .float32: types[1] == .int16
    case .int8, .uint8, .int16: true
    default: types[0] == types[1]
    }
  }

  /// Matrices of several batches at once are multiplied in an order that is not imitated, and layer
  /// normalization adds in another order.
  private static func imitatesLSTM(_ node: NodeSpec) -> Bool {
    guard let shape = node.optionalInput(0)?.shape, shape.isReasonable else { return false }
    let isBidirectional = node.operatorName == "BIDIRECTIONAL_SEQUENCE_LSTM"
    let hasFloatWeights = node.optionalInput(4)?.type == .float32
    let isNormalized = !isBidirectional && node.optionalInput(21) != nil
    guard !isNormalized else { return false }
    guard hasFloatWeights else { return true }
    switch node.operatorName {
    case "LSTM": return shape.rank == 2 && shape[0] == 1
    case "UNIDIRECTIONAL_SEQUENCE_LSTM":
      let options = node.options(BuiltinOptionsTag.unidirectionalSequenceLSTM)
      let isTimeMajor = (try? options.bool(3)) ?? true
      return shape.rank == 3 && (!isTimeMajor || shape[1] == 1)
    default:
      let options = node.options(BuiltinOptionsTag.bidirectionalSequenceLSTM)
      let isTimeMajor = (try? options.bool(4, default: true)) ?? true
      return shape.rank == 3 && (!isTimeMajor || shape[1] == 1)
    }
  }
}
