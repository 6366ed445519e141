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

  package init(of graph: Graph, on processor: Interpreter.LiteRTProcessor) {
    for case let subgraph? in graph.subgraphs { add(subgraph, processor) }
  }

  private mutating func add(_ subgraph: Subgraph, _ processor: Interpreter.LiteRTProcessor) {
    let partition = XNNPACKPartition(of: subgraph)
    nodeCount += subgraph.nodes.count
    for (position, node) in subgraph.nodes.enumerated() {
      let refusal = partition.refusals[position]
      if refusal == nil { delegatedCount += 1 }
      let reason =
        refusal.map { Self.gapOfBuiltIn(node.spec, $0, processor) }
        ?? Self.gapOfDelegate(node.spec, processor)
      guard let reason else { continue }
      gaps.append(
        LiteRTGap(
          subgraph: subgraph.index, node: position, operatorName: node.spec.operatorName,
          reason: reason))
    }
  }

  /// Returns why the delegate's bits are not imitated; `nil` where they are.
  private static func gapOfDelegate(
    _ node: NodeSpec, _ processor: Interpreter.LiteRTProcessor
  ) -> String? {
    guard node.outputs.first?.type == .float32 else { return nil }
    let weights = node.optionalInput(1)?.type
    if node.operatorName == "FULLY_CONNECTED", weights == .int4 || weights == .int2 {
      return "XNNPACK's products with weights of less than eight bits are not imitated"
    }
    if node.operatorName == "FULLY_CONNECTED", node.optionalInput(1)?.quantization?.blockwise != nil
    {
      return "XNNPACK's products with blockwise scales are not imitated"
    }
    if node.operatorName == "BATCH_MATMUL", weights == .int8 {
      return "XNNPACK rounds its inputs to bytes at run time, in a way that is not imitated"
    }
    if ["MEAN", "SUM"].contains(node.operatorName), reducesAxesApart(node) {
      return "XNNPACK's order of sums over axes that are not adjacent is not imitated"
    }
    guard ["SQRT", "RSQRT"].contains(node.operatorName) else { return nil }
    return processor == .avx512
      ? "XNNPACK begins with an estimate of the processor; Intel's is imitated, AMD's was not read"
      : nil
  }

  private static func reducesAxesApart(_ node: NodeSpec) -> Bool {
    guard let shape = node.optionalInput(0)?.shape, shape.isReasonable, shape.rank > 0,
      let axes = node.optionalInput(1)?.constantValues(Int32.self)?.map({ Int($0) }),
      axes.allSatisfy((-shape.rank..<shape.rank).contains)
    else { return false }
    return ReductionLayout(shape, reducing: axes).runs.count > 1
  }

  /// Returns why the bits of LiteRT's built-in kernels may differ from those of the reference
  /// kernels, which are computed instead.
  private static func gapOfBuiltIn(
    _ node: NodeSpec, _ refusal: XNNPACKRefusal, _ processor: Interpreter.LiteRTProcessor
  ) -> String? {
    let sums = [
      "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "TRANSPOSE_CONV",
      "CONV_3D", "CONV_3D_TRANSPOSE", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
      "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "LSTM", "RNN", "SVDF",
      "SOFTMAX", "MEAN", "SUM", "AVERAGE_POOL_2D",
    ]
    let type = node.outputs.first?.type
    if let gap = gapOfRounding(node, type, processor) { return gap }
    // The sums of the built-in kernels are those of x86.
    guard sums.contains(node.operatorName), processor == .neon || !imitatesBuiltIn(node) else {
      return nil
    }
    let isOfIntegers = ["AVERAGE_POOL_2D", "MEAN", "SUM", "SOFTMAX"].contains(node.operatorName)
    if isOfIntegers && type != .float32 || type == .int16 { return nil }
    return
      "LiteRT's built-in kernel computes it, and may round otherwise than the reference kernel, "
      + "because the delegate does not take it: \(refusal.reason)"
  }
}
