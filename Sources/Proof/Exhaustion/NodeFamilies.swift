/// Which argument can cover all inputs of an operator.
enum NodeFamily: Equatable {
  /// Each result depends on one element of one operand.
  case elementwise
  /// Each result depends on one element of each of two operands.
  case pairwise
  /// Each result is a copy of an element.
  case mover
  /// Each result is the greatest or the least element of a group.
  case selection(Selection)
  /// Each result depends on the sum of a group of elements.
  case sum
  /// Each result depends on an element's and its row's distances from the row's greatest element.
  case softmax
  /// Results depend on the shapes of operands only.
  case shape
  case other

  enum Selection {
    case greatest
    case least
  }

  init(of operatorName: String, operandCount: Int) {
    switch operatorName {
    case _ where Self.movers.contains(operatorName): self = .mover
    case _ where Self.unary.contains(operatorName): self = .elementwise
    // The other operand may be a constant.
    case _ where Self.binary.contains(operatorName):
      self = operandCount == 1 ? .elementwise : .pairwise
    case "MAX_POOL_2D", "REDUCE_MAX": self = .selection(.greatest)
    case "REDUCE_MIN": self = .selection(.least)
    case "AVERAGE_POOL_2D", "MEAN", "SUM": self = .sum
    case "SOFTMAX": self = .softmax
    case "SHAPE", "RANK": self = .shape
    default: self = .other
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
