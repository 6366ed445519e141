import OcellusModelFile

// The questions of operators without weights.

extension XNNPACKRequirements {
  func requireQuantizableBinary(_ node: NodeSpec) throws {
    let (first, second) = (try input(0, of: node), try input(1, of: node))
    let output = try output(of: node)
    for tensor in [first, second] { try requireRank(tensor, 0...Self.maximumRank) }
    for tensor in [first, second, output] { try requireFloatOrBytes(tensor) }
    try requireSameType(first, second, output)
    switch node.operatorName {
    case "MUL":
      try requireScale(
        scale(first) * scale(second) / scale(output), of: output, 0x1p-16..<256)
      try requireClamp(node, BuiltinOptionsTag.mul, field: 0)
    default:
      for tensor in [first, second] {
        try requireScale(scale(tensor) / scale(output), of: output, 0x1p-10..<256)
      }
      let tag = node.operatorName == "ADD" ? BuiltinOptionsTag.add : BuiltinOptionsTag.sub
      try requireClamp(node, tag, field: 0)
    }
  }

  func requireFloatBinary(_ node: NodeSpec) throws {
    let (first, second) = (try input(0, of: node), try input(1, of: node))
    for tensor in [first, second, try output(of: node)] { try requireFloat(tensor) }
    for tensor in [first, second] { try requireRank(tensor, 0...Self.maximumRank) }
    if node.operatorName == "PRELU" { try requireStatic(second) }
    if node.operatorName == "DIV" { try requireClamp(node, BuiltinOptionsTag.div, field: 0) }
  }

  func requirePool(_ node: NodeSpec) throws {
    let (input, output) = (try input(0, of: node), try output(of: node))
    if node.operatorName == "AVERAGE_POOL_2D" {
      try requireFloat(input)
      try requireFloat(output)
    } else {
      try requireFloatOrBytes(input)
      try requireFloatOrBytes(output)
    }
    let options = node.options(BuiltinOptionsTag.pool2D)
    let window = try WindowOptions(options)
    let (columns, rows) = (try options.integer(3), try options.integer(4))
    try require(
      window.columnStride <= columns && window.rowStride <= rows,
      "its stride is longer than its window")
    try require(
      rows > 1 || columns > 1 || max(window.rowStride, window.columnStride) == 1,
      "it skips pixels")
    try requireClamp(node, BuiltinOptionsTag.pool2D, field: 5)
  }

  func requireReduction(_ node: NodeSpec) throws(XNNPACKRefusal) {
    let (input, axes) = (try input(0, of: node), try self.input(1, of: node))
    try requireFloatOrBytes(input)
    try requireFloatOrBytes(try output(of: node))
    try requireStatic(axes)
    try require(
      axes.shape.rank <= 1 && axes.shape.elementCount > 0, "it has no axes, or too many")
  }

  func requireConcatenation(_ node: NodeSpec) throws(XNNPACKRefusal) {
    let output = try output(of: node)
    try require((2...5).contains(node.inputs.count), "it has \(node.inputs.count) inputs")
    try requireFloatOrBytes(output)
    for position in node.inputs.indices {
      let input = try input(position, of: node)
      try requireFloatOrBytes(input)
      if output.type == .uint8 { try requireSameQuantization(input, output) }
    }
  }

  private func requireSameQuantization(
    _ input: TensorSpec, _ output: TensorSpec
  ) throws(XNNPACKRefusal) {
    try require(
      scale(input) == scale(output)
        && input.quantization?.zeroPoint == output.quantization?.zeroPoint,
      "\(input.label) and the output have different quantizations")
  }

  func requireSplit(_ node: NodeSpec) throws(XNNPACKRefusal) {
    try require((2...4).contains(node.outputs.count), "it has \(node.outputs.count) outputs")
    try requireStatic(try input(0, of: node))
    try requireFloatOrBytes(try input(1, of: node))
    for output in node.outputs { try requireFloatOrBytes(output) }
  }

  /// Requires tensors that an operator copies, and constants for the operands that say how.
  func requireMovement(_ node: NodeSpec) throws {
    let (input, output) = (try input(0, of: node), try output(of: node))
    try requireFloatOrBytes(input)
    try requireFloatOrBytes(output)
    if node.operatorName == "RESHAPE", output.type == .int8 || output.type == .uint8 {
      try requireSameQuantization(input, output)
    }
    if node.operatorName != "RESHAPE" {
      for case let operand? in node.inputs.dropFirst() { try requireStatic(operand) }
    }
    if node.operatorName == "STRIDED_SLICE" { try requirePlainSlice(node) }
  }

  private func requirePlainSlice(_ node: NodeSpec) throws {
    let options = node.options(BuiltinOptionsTag.stridedSlice)
    for field in 2...4 {
      try require(try options.integer(field) == 0, "it adds or removes dimensions")
    }
    let strides = try input(3, of: node).constantValues(Int32.self) ?? []
    try require(strides.allSatisfy { $0 == 1 }, "it has a stride other than 1")
  }

  func requireSoftmax(_ node: NodeSpec) throws {
    try requireFloat(try input(0, of: node))
    try requireFloat(try output(of: node))
    let beta = try node.options(BuiltinOptionsTag.softmax).float(0)
    try require(beta == 1, "its beta is \(beta)")
  }

  func requireUnary(_ node: NodeSpec) throws {
    let (input, output) = (try input(0, of: node), try output(of: node))
    switch node.operatorName {
    case "ABS", "CEIL", "COS", "EXP", "FLOOR", "GELU", "HARD_SWISH", "LOG", "NEG", "RELU_N1_TO_1",
      "RELU", "RELU6", "ROUND", "RSQRT", "SIN", "SQRT", "SQUARE":
      try requireFloat(input)
      try requireFloat(output)
    case "DEQUANTIZE":
      try requireBytes(input)
      try requireFloat(output)
    case "ELU", "LOGISTIC", "TANH":
      try requireFloatOrBytes(input)
      try requireFloatOrBytes(output)
    case "LEAKY_RELU": try requireLeakyRectifier(node, input, output)
    case "QUANTIZE": try requireQuantize(input, output)
    default: throw XNNPACKRefusal("the delegate has no \(node.operatorName)")
    }
    try requireRank(input, 0...Self.maximumRank)
  }

  private func requireLeakyRectifier(
    _ node: NodeSpec, _ input: TensorSpec, _ output: TensorSpec
  ) throws {
    try requireFloatOrBytes(input)
    try requireFloatOrBytes(output)
    let slope = try node.options(BuiltinOptionsTag.leakyRelu).float(0)
    try require(slope.isNormal, "its slope is \(slope)")
    guard input.type != .float32 else { return }
    let ratio = scale(input) / scale(output)
    try require(ratio >= 0x1p-8 && ratio <= 128, "the scales have the ratio \(ratio)")
    let sloped = ratio * slope
    try require(
      sloped >= -127.99609375 && sloped <= 128 && abs(sloped) >= 0x1p-8,
      "the scales and the slope make \(sloped)")
  }

  private func requireQuantize(
    _ input: TensorSpec, _ output: TensorSpec
  ) throws(XNNPACKRefusal) {
    try requireFloatOrBytes(input)
    try requireFloatOrBytes(output)
    guard input.type == .int8 || input.type == .uint8 else { return }
    try requireSameType(input, output)
    let ratio = scale(input) / scale(output)
    try require(ratio >= 0x1p-8 && ratio <= 128, "the scales have the ratio \(ratio)")
  }
}
