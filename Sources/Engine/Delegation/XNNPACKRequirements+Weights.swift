import OcellusModelFile

// The questions of operators with weights.

extension XNNPACKRequirements {
  func requireConvolution(_ node: NodeSpec, filterAxis: Int) throws {
    let isDepthwise = filterAxis == 3
    let (input, filter) = (try input(0, of: node), try self.input(1, of: node))
    let (bias, output) = (try self.input(2, of: node), try output(of: node))
    try requireFloatOrBytes(input)
    try requireRank(input, 4)
    try requireFilter(filter, axis: filterAxis)
    try requireRank(filter, 4)
    try requireStatic(filter)
    try requireBias(bias)
    try requireFloatOrBytes(output)
    try requireRank(output, 4)
    let isDynamic = !isDepthwise && input.type == .float32 && filter.type == .int8
    try requireSameType(input, output)
    if !isDynamic { try requireSameType(input, filter) }
    try requireClamp(
      node, isDepthwise ? BuiltinOptionsTag.depthwiseConv2D : BuiltinOptionsTag.conv2D,
      field: isDepthwise ? 4 : 3)
  }

  func requireFullyConnected(_ node: NodeSpec) throws {
    let options = node.options(BuiltinOptionsTag.fullyConnected)
    try require(node.version != 8, "version 8 has sparse weights")
    try require(try options.integer(1, as: Int8.self) == 0, "its weights are shuffled")
    let (input, filter) = (try input(0, of: node), try self.input(1, of: node))
    try requireFloatOrBytes(input)
    try requireRank(filter, 2)
    if filter.type == .int4 || filter.type == .int2 {
      try require(filter.quantization != nil, "\(filter.label) has no scales")
    } else {
      try requireFilter(filter, axis: 0)
    }
    try requireStatic(filter)
    if let bias = node.optionalInput(2) { try requireBias(bias) }
    let output = try output(of: node)
    try requireFloatOrBytes(output)
    try requireSameType(input, output)
    let isMixed = input.type == .float32 || input.type == .int8
    let hasIntegers = [.int8, .int4, .int2].contains(filter.type)
    if !(isMixed && hasIntegers) { try requireSameType(input, filter) }
    if input.type == .int8, filter.type == .int8 {
      try require(filter.quantization?.zeroPoint == 0, "its weights have a zero point")
    }
    try requireClamp(node, BuiltinOptionsTag.fullyConnected, field: 0)
  }

  func requireTransposedConvolution(_ node: NodeSpec) throws {
    let (shape, filter) = (try input(0, of: node), try self.input(1, of: node))
    let (input, output) = (try self.input(2, of: node), try output(of: node))
    try requireStatic(shape)
    try requireRank(filter, 4)
    try requireStatic(filter)
    try requireFloatOrBytes(input)
    try requireRank(input, 4)
    try requireFilter(filter, axis: 0)
    if let bias = node.optionalInput(3) { try requireBias(bias) }
    try requireFloatOrBytes(output)
    try requireRank(output, 4)
    if !(input.type == .float32 && filter.type == .int8) { try requireSameType(input, filter) }
    let options = node.options(BuiltinOptionsTag.transposeConv)
    let window = try WindowOptions(options)
    try require(
      window.padding != .same
        || (filter.shape[1] >= window.rowStride && filter.shape[2] >= window.columnStride),
      "its stride is longer than its window")
    try requireClamp(node, BuiltinOptionsTag.transposeConv, field: 3)
  }

  func requireBatchMatMul(_ node: NodeSpec) throws {
    let (left, right) = (try input(0, of: node), try self.input(1, of: node))
    let output = try output(of: node)
    try requireFloatOrBytes(left)
    let isTransposed = try node.options(BuiltinOptionsTag.batchMatMul).bool(1)
    try requireFilter(right, axis: right.shape.rank - (isTransposed ? 2 : 1))
    let isDynamic = left.type == .float32 && right.type == .int8
    if right.type == .int8, !isDynamic {
      try require(right.quantization?.zeroPoint == 0, "\(right.label) has a zero point")
      try require(right.quantization?.scales.count == 1, "\(right.label) has several scales")
    }
    try requireFloatOrBytes(output)
    if !isDynamic { try requireSameType(left, right) }
    try require(left.shape.rank >= 2 && right.shape.rank >= 2, "it multiplies no matrices")
  }
}
