/// Which argument can cover all inputs of an operator.
enum NodeFamily {
  /// Each result depends on one element of one operand.
  case elementwise
  /// Each result depends on one element of each of two operands.
  case pairwise
  /// Each result is a copy of an element.
  case mover
  case other

  init(of operatorName: String, operandCount: Int) {
    if Self.movers.contains(operatorName) {
      self = .mover
    } else if Self.unary.contains(operatorName) {
      self = .elementwise
    } else if Self.binary.contains(operatorName) {
      // The other operand is a constant.
      self = operandCount == 1 ? .elementwise : .pairwise
    } else {
      self = .other
    }
  }

  private static let unary: Set = [
    "ABS", "CAST", "DEQUANTIZE", "ELU", "EXP", "GELU", "HARD_SWISH", "LEAKY_RELU", "LOG",
    "LOGISTIC",
    "NEG", "PRELU", "QUANTIZE", "RELU", "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "RSQRT", "SQRT",
    "SQUARE", "TANH",
  ]
  private static let binary: Set = [
    "ADD", "EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "MAXIMUM", "MINIMUM", "MUL",
    "NOT_EQUAL", "SQUARED_DIFFERENCE", "SUB",
  ]
  private static let movers: Set = [
    "BATCH_TO_SPACE_ND", "BROADCAST_TO", "CONCATENATION", "DEPTH_TO_SPACE", "EXPAND_DIMS", "GATHER",
    "MIRROR_PAD", "PACK", "PAD", "PADV2", "RESHAPE", "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2",
    "SLICE", "SPACE_TO_BATCH_ND", "SPACE_TO_DEPTH", "SPLIT", "SPLIT_V", "SQUEEZE", "STRIDED_SLICE",
    "TILE", "TRANSPOSE", "UNPACK",
  ]
}
