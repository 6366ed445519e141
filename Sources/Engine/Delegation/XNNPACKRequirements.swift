import OcellusModelFile

/// The questions that LiteRT's delegate asks of a node before it takes it.
struct XNNPACKRequirements {
  /// The tensors that nodes unpack from constants, which count as constants themselves.
  private var unpacked: Set<Int> = []

  /// The greatest number of dimensions of a tensor.
  static let maximumRank = 6

  /// Returns whether a node only unpacks a constant: half precision, bytes or sparse weights.
  ///
  /// The delegate computes its result once, and takes the node if it takes all readers.
  mutating func unpacks(_ node: NodeSpec) -> Bool {
    guard node.inputs.count == 1, let input = node.inputs[0], let output = node.outputs.first,
      isStatic(input)
    else { return false }
    let isUnpacking =
      switch node.operatorName {
      case "DEQUANTIZE":
        (input.type == .float16 || input.type == .int8) && output.type == .float32
      case "DENSIFY": input.sparsity != nil && output.type == input.type
      default: false
      }
    if isUnpacking { unpacked.insert(output.index) }
    return isUnpacking
  }

  func isStatic(_ tensor: TensorSpec) -> Bool {
    tensor.isConstant || unpacked.contains(tensor.index)
  }

  /// Returns the reason why the delegate does not take a node; `nil` if it takes it.
  func refusal(of node: NodeSpec) -> XNNPACKRefusal? {
    do {
      try require(node)
      return nil
    } catch let refusal as XNNPACKRefusal {
      return refusal
    } catch {
      return XNNPACKRefusal("its options are malformed")
    }
  }

  private func require(_ node: NodeSpec) throws {
    switch node.operatorName {
    case "CONV_2D": try requireConvolution(node, filterAxis: 0)
    case "DEPTHWISE_CONV_2D": try requireConvolution(node, filterAxis: 3)
    case "FULLY_CONNECTED": try requireFullyConnected(node)
    case "TRANSPOSE_CONV": try requireTransposedConvolution(node)
    case "BATCH_MATMUL": try requireBatchMatMul(node)
    case "ADD", "SUB", "MUL": try requireQuantizableBinary(node)
    case "DIV", "MAXIMUM", "MINIMUM", "PRELU", "SQUARED_DIFFERENCE": try requireFloatBinary(node)
    case "AVERAGE_POOL_2D", "MAX_POOL_2D": try requirePool(node)
    case "MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN": try requireReduction(node)
    case "CONCATENATION": try requireConcatenation(node)
    case "SPLIT": try requireSplit(node)
    case "PAD", "TRANSPOSE", "SLICE", "STRIDED_SLICE", "RESHAPE", "DEPTH_TO_SPACE",
      "SPACE_TO_DEPTH", "RESIZE_BILINEAR":
      try requireMovement(node)
    case "SOFTMAX": try requireSoftmax(node)
    case "Convolution2DTransposeBias", "MaxPoolingWithArgmax2D", "MaxUnpooling2D":
      try requireFloat(try input(0, of: node))
    default: try requireUnary(node)
    }
  }
}
