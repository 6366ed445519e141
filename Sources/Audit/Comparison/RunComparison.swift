import OcellusEngine

/// A pair of corresponding nodes and the difference of their results.
public struct LayerComparison: Sendable {
  /// The origin of a difference.
  public enum Origin: String, Sendable {
    /// There is no difference.
    case none
    /// The operands are equal, so the difference arises in this node.
    case born
    /// The operands, or nodes of called subgraphs, already differ, and this node adds nothing.
    case inherited
    /// The operands differ, and the node would differ even on equal operands.
    case both
    /// The node cannot be computed in isolation.
    case unknown
  }

  /// The subgraph of both nodes; 0 is the main one.
  public var subgraph = 0
  /// The number of earlier runs of the nodes, if their subgraph is called.
  public var call = 0
  /// The index of the node in the first model.
  public var firstNode: Int
  /// The index of the node in the second model.
  public var secondNode: Int
  /// The operator of both nodes.
  public var operatorName: String
  /// The name of the first result in the first model.
  public var tensorName: String
  /// The difference of the results; `nil` if they cannot be compared.
  public var difference: TensorDifference?
  /// The origin of the difference.
  public var origin: Origin
  /// The node's own contribution to the difference.
  ///
  /// The second model's node is computed on the first model's operands, and its result is compared
  /// with the first model's.
  public var bornDifference: TensorDifference?
}

extension LayerComparison {
  /// Attributes the difference to other nodes.
  fileprivate mutating func inherit() {
    origin = .inherited
    bornDifference = TensorDifference()
  }

  /// Returns a node's name in reports: `12`, or `2:5` in a called subgraph.
  ///
  /// From the second call on, the number of the call follows.
  package func name(of node: Int) -> String {
    (subgraph == 0 ? "" : "\(subgraph):") + "\(node)" + (call == 0 ? "" : ", call \(call + 1)")
  }
}

/// Compares two runs node by node, holding no more than the tensors of one node of each.
///
/// The first run is the reference: in ratios of signal to noise, its results are the signal.
package struct RunComparison {
  package let first: any TensorStream
  package let second: any TensorStream
  package let alignment: NodeAlignment
  /// Whether both sides run the same graph with the same types, so their bits can be equal.
  package let hasSameGraph: Bool

  package init(_ first: any TensorStream, _ second: any TensorStream) throws(AuditError) {
    self.first = first
    self.second = second
    alignment = try NodeAlignment(first.outline, second.outline)
    hasSameGraph = first.outline.hasSameGraph(as: second.outline)
    guard !alignment.pairs.isEmpty else {
      throw AuditError(
        "\(first.title) and \(second.title) have no nodes in common: no operator is in both")
    }
  }

  /// Whether both sides know the digest of their model's file, and the digests differ.
  package var isOfDifferentFiles: Bool {
    // Hashing a model takes time: the side that may lack a digest is asked first.
    let streams = first.replay == nil ? [first, second] : [second, first]
    guard let digest = streams[0].modelDigest, let other = streams[1].modelDigest else {
      return false
    }
    return digest != other
  }

  /// Reports all pairs in execution order.
  ///
  /// Of one graph, these are all nodes in the order in which they finish, including those of called
  /// subgraphs; of two graphs, the nodes of the main subgraphs.
  package func run(_ report: (LayerComparison) throws -> Void) throws {
    defer {
      first.end()
      second.end()
    }
    if hasSameGraph { return try runInStep(report) }
    for pair in alignment.pairs {
      guard try first.advance(to: pair.first), try second.advance(to: pair.second) else { continue }
      let (a, b) = (NodeCall(node: pair.first), NodeCall(node: pair.second))
      if let layer = try compare(a, b) { try report(layer) }
    }
  }

  /// Advances both runs of one graph side by side.
  ///
  /// If one run repeats a loop more often or calls another subgraph, it advances alone until both
  /// are at the same node of the main subgraph again.
  private func runInStep(_ report: (LayerComparison) throws -> Void) throws {
    // Computed once: these sets may hold a hundred thousand nodes.
    let known = (first.calls, second.calls)
    var (a, b) = (try first.next(), try second.next())
    /// Whether a difference arose in the subgraphs that the next node of the main subgraph calls.
    var isBornBelow = false
    while let x = a, let y = b {
      var skips = (first: true, second: true)
      if x == y {
        if var layer = try compare(x, y) {
          if x.subgraph == 0, isBornBelow, layer.origin == .born { layer.inherit() }
          if x.subgraph != 0, layer.difference?.isNone == false { isBornBelow = true }
          try report(layer)
        }
        if x.subgraph == 0 { isBornBelow = false }
      } else {
        skips = Self.skips(x, y, known)
      }
      if skips.first { a = try first.next() }
      if skips.second { b = try second.next() }
    }
  }

  /// Returns which side must advance when the sides are at different nodes: at least one.
  private static func skips(
    _ x: NodeCall, _ y: NodeCall, _ known: (Set<NodeCall>?, Set<NodeCall>?)
  ) -> (first: Bool, second: Bool) {
    let isUnknown = (known.1?.contains(x) == false, known.0?.contains(y) == false)
    if isUnknown.0 || isUnknown.1 { return isUnknown }
    return switch (x.subgraph == 0, y.subgraph == 0) {
    case (true, true): ((x.node, x.call) < (y.node, y.call), (y.node, y.call) < (x.node, x.call))
    case (true, false): (false, true)
    case (false, true): (true, false)
    case (false, false): (true, true)
    }
  }

  private func compare(_ a: NodeCall, _ b: NodeCall) throws -> LayerComparison? {
    guard let outlines = outlines(of: a.subgraph), let firstNode = outlines.first.node(a.node),
      let secondNode = outlines.second.node(b.node)
    else { return nil }
    var layer = LayerComparison(
      subgraph: a.subgraph, call: a.call, firstNode: a.node, secondNode: b.node,
      operatorName: firstNode.operatorName,
      tensorName: firstNode.outputs.first.flatMap { outlines.first.tensors[$0]?.name } ?? "",
      difference: nil, origin: .unknown, bornDifference: nil)
    let results = try zip(firstNode.outputs, secondNode.outputs).compactMap { x, y in
      try pair(first.tensor(x), second.tensor(y))
    }
    // A trace may omit the node, and a plan may never have its whole result in memory.
    guard !results.isEmpty else { return nil }
    layer.difference = worst(results)
    guard let difference = layer.difference else { return layer }
    if difference.isNone {
      layer.origin = .none
      return layer
    }
    let operands = try operands(of: firstNode, secondNode, outlines)
    if let operands, operands.allSatisfy({ $0.first == $0.second }) {
      layer.origin = .born
      layer.bornDifference = difference
      return layer
    }
    guard operands != nil, let born = try bornDifference(firstNode, secondNode, results, outlines)
    else { return layer }
    layer.bornDifference = born
    layer.origin = born.isNone ? .inherited : .both
    return layer
  }

  /// The outlines of a subgraph on both sides.
  private struct Outlines {
    let subgraph: Int
    let first: ModelOutline
    let second: ModelOutline
  }

  private func outlines(of subgraph: Int) -> Outlines? {
    guard let a = first.outline(of: subgraph), let b = second.outline(of: subgraph) else {
      return nil
    }
    return Outlines(subgraph: subgraph, first: a, second: b)
  }

  private typealias Pair = (first: StoredTensor, second: StoredTensor)

  private func pair(_ first: StoredTensor?, _ second: StoredTensor?) -> Pair? {
    guard let first, let second else { return nil }
    return (first, second)
  }

  /// Returns the difference of the result that differs most.
  private func worst(_ results: [Pair]) -> TensorDifference? {
    results.compactMap { TensorDifference($0.first, $0.second) }.min {
      ($0.signalToNoise, $1.differentCount) < ($1.signalToNoise, $0.differentCount)
    }
  }

  /// Returns the pairs of operands at equal positions, except constants.
  ///
  /// - Returns: `nil` if one side lacks an operand.
  private func operands(
    of a: ModelOutline.Node, _ b: ModelOutline.Node, _ outlines: Outlines
  ) throws -> [Pair]? {
    guard a.inputs.count == b.inputs.count else { return nil }
    var pairs: [Pair] = []
    for (x, y) in zip(a.inputs, b.inputs) where x >= 0 && y >= 0 {
      if outlines.first.isConstant(x), outlines.second.isConstant(y) { continue }
      guard let pair = try pair(first.tensor(x), second.tensor(y)) else { return nil }
      pairs.append(pair)
    }
    return pairs
  }

  /// Computes one side's node on the other side's operands and compares the results.
  ///
  /// The node is the second side's, or the first side's if only that side has a model. If the
  /// node's types cannot represent the operands, the other side's node is computed again from the
  /// converted operands, because the loss is not the node's own.
  private func bornDifference(
    _ a: ModelOutline.Node, _ b: ModelOutline.Node, _ results: [Pair], _ outlines: Outlines
  ) throws -> TensorDifference? {
    let isSecond = second.replay != nil
    let (own, node) = isSecond ? (second, b) : (first, a)
    let (source, other) = isSecond ? (first, a) : (second, b)
    guard let isolated = try isolated(node, outlines.subgraph, of: own) else { return nil }
    let targets = isSecond ? outlines.second : outlines.first
    var given: [StoredTensor] = []
    var isWhole = true
    for operand in isolated.operands {
      guard let position = node.inputs.firstIndex(of: operand),
        let tensor = try source.tensor(other.inputs[position]),
        let target = targets.tensors[operand],
        let converted = tensor.converted(to: target.type, target.quantization)
      else { return nil }
      isWhole = isWhole && TensorDifference(tensor, converted)?.isNone ?? false
      given.append(converted)
    }
    let recomputed = try isolated.results(of: given)
    let expected =
      try isWhole
      ? nil
      : resultsOfCounterpart(other, in: source, outlines, like: node, isolated.operands, given)
    return worst(
      zip(recomputed, results).enumerated().map { index, pair in
        let (made, result) = pair
        let wanted = expected.map { $0[index] } ?? (isSecond ? result.first : result.second)
        return isSecond ? (wanted, made) : (made, wanted)
      })
  }

  private func isolated(
    _ node: ModelOutline.Node, _ subgraph: Int, of stream: any TensorStream
  ) throws -> IsolatedNode? {
    guard let replay = stream.replay else { return nil }
    return try IsolatedNode(
      node.index, ofSubgraph: subgraph, of: replay.model, options: replay.options)
  }

  /// Returns the other side's results on its counterpart's operands, in its own types.
  private func resultsOfCounterpart(
    _ node: ModelOutline.Node, in stream: any TensorStream, _ outlines: Outlines,
    like counterpart: ModelOutline.Node, _ operands: [Int], _ given: [StoredTensor]
  ) throws -> [StoredTensor]? {
    guard let isolated = try isolated(node, outlines.subgraph, of: stream) else { return nil }
    let targets = stream === second ? outlines.second : outlines.first
    var own: [StoredTensor] = []
    for operand in isolated.operands {
      guard let position = node.inputs.firstIndex(of: operand),
        let index = operands.firstIndex(of: counterpart.inputs[position]),
        let target = targets.tensors[operand],
        let converted = given[index].converted(to: target.type, target.quantization)
      else { return nil }
      own.append(converted)
    }
    let results = try isolated.results(of: own)
    return results.count == counterpart.outputs.count ? results : nil
  }
}

extension ModelOutline {
  fileprivate func isConstant(_ tensor: Int) -> Bool { tensors[tensor]?.isConstant ?? false }
}
