/// A node whose bits `Interpreter.Numerics.litert` may not imitate, with the reason.
package struct LiteRTGap: Sendable {
  package let subgraph: Int
  package let node: Int
  package let operatorName: String
  package let reason: String
}

/// The nodes that LiteRT computes by default as this engine imitates it, and those that it does not.
package struct LiteRTCoverage: Sendable {
  /// The number of nodes that the delegate XNNPACK takes.
  package private(set) var delegatedCount = 0
  package private(set) var nodeCount = 0
  package private(set) var gaps: [LiteRTGap] = []

  package init(of graph: Graph) {
    for case let subgraph? in graph.subgraphs { add(subgraph) }
  }

  private mutating func add(_ subgraph: Subgraph) {
    let partition = XNNPACKPartition(of: subgraph)
    nodeCount += subgraph.nodes.count
    for (position, node) in subgraph.nodes.enumerated() {
      let refusal = partition.refusals[position]
      if refusal == nil { delegatedCount += 1 }
      let reason =
        refusal.map { Self.gapOfBuiltIn(node.spec, $0) } ?? Self.gapOfDelegate(node.spec)
      guard let reason else { continue }
      gaps.append(
        LiteRTGap(
          subgraph: subgraph.index, node: position, operatorName: node.spec.operatorName,
          reason: reason))
    }
  }

  /// Returns why the delegate's bits are not imitated; `nil` where they are.
  private static func gapOfDelegate(_ node: NodeSpec) -> String? {
    let weights = ["CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "TRANSPOSE_CONV"]
    let isFloat = node.outputs.first?.type == .float32
    if weights.contains(node.operatorName), isFloat,
      node.inputs.contains(where: { $0?.type == .int8 || $0?.type == .int4 || $0?.type == .int2 })
    {
      return "XNNPACK rounds its inputs to bytes at run time, in a way that is not imitated"
    }
    guard isFloat else { return nil }
    switch node.operatorName {
    case "SQRT", "RSQRT": return "XNNPACK begins with an estimate that depends on the processor"
    case "ELU", "EXP", "LOG", "SIN", "COS": return "XNNPACK's approximation is not imitated"
    default: return nil
    }
  }

  /// Returns why the bits of LiteRT's built-in kernels may differ from those of the reference
  /// kernels, which are computed instead.
  private static func gapOfBuiltIn(_ node: NodeSpec, _ refusal: XNNPACKRefusal) -> String? {
    let sums = [
      "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "TRANSPOSE_CONV",
      "CONV_3D",
      "CONV_3D_TRANSPOSE", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
      "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "LSTM", "RNN", "SVDF",
      "SOFTMAX", "MEAN", "SUM", "AVERAGE_POOL_2D",
    ]
    guard sums.contains(node.operatorName) else { return nil }
    let type = node.outputs.first?.type
    let isOfIntegers = ["AVERAGE_POOL_2D", "MEAN", "SUM", "SOFTMAX"].contains(node.operatorName)
    if isOfIntegers && type != .float32 || type == .int16 { return nil }
    return
      "LiteRT's built-in kernel computes it, and may round otherwise than the reference kernel, "
      + "because the delegate does not take it: \(refusal.reason)"
  }
}
