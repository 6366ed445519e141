import OcellusEngine

/// A pair of nodes that belong together, and how far their first results are apart.
public struct LayerComparison: Sendable {
  /// Where a difference comes from.
  public enum Origin: String, Sendable {
    /// There is none.
    case none
    /// Both nodes were given the same, and made something else of it.
    case born
    /// The nodes make the same of the same: the operands differ already, or nodes that these call.
    case inherited
    /// The operands differ, and the nodes make something else even of the same.
    case both
    /// The node cannot be computed by itself.
    case unknown
  }

  /// The subgraph that both nodes are in: 0 is the main one.
  public var subgraph = 0
  /// How often they ran before, where the subgraph is called.
  public var call = 0
  /// The position of the node in the first model.
  public var firstNode: Int
  /// That in the second.
  public var secondNode: Int
  /// The operator of both.
  public var operatorName: String
  /// The name of the first result in the first model.
  public var tensorName: String
  /// The distance of the results; `nil` where they cannot be compared.
  public var difference: TensorDifference?
  /// Where it comes from.
  public var origin: Origin
  /// What the second node makes of the first one's operands, compared with the first one's result: the
  /// part of the difference that is this node's own.
  public var bornDifference: TensorDifference?
}

extension LayerComparison {
  /// Takes the difference for that of others.
  fileprivate mutating func inherit() {
    origin = .inherited
    bornDifference = TensorDifference()
  }

  /// One of the nodes as reports call it: `12`, or `2:5` of a subgraph that is called, with the number of
  /// the call behind the first.
  package func place(of node: Int) -> String {
    (subgraph == 0 ? "" : "\(subgraph):") + "\(node)" + (call == 0 ? "" : ", call \(call + 1)")
  }
}

/// Compares two runs node by node, holding no more than the tensors of one node of each.
package struct RunComparison {
  package let first: any TensorStream
  package let second: any TensorStream
  package let alignment: NodeAlignment
  /// Whether both sides have the same tensors, so that bits can be equal.
  package let isSameModel: Bool

  package init(_ first: any TensorStream, _ second: any TensorStream) throws(AuditError) {
    self.first = first
    self.second = second
    alignment = try NodeAlignment(first.outline, second.outline)
    isSameModel = first.outline.isOfSameModel(as: second.outline)
    guard !alignment.pairs.isEmpty else {
      throw AuditError(
        "\(first.title) and \(second.title) have no nodes in common: no operator is in both")
    }
  }

  /// Looks at all pairs in their order.
  ///
  /// Of one model these are all nodes as they come to their ends, those of subgraphs that are called
  /// among them; of two models the nodes of their main subgraphs.
  package func run(_ report: (LayerComparison) throws -> Void) throws {
    defer {
      first.end()
      second.end()
    }
    if isSameModel { return try runInStep(report) }
    for pair in alignment.pairs {
      guard try first.advance(to: pair.first), try second.advance(to: pair.second) else { continue }
      let (a, b) = (NodePlace(node: pair.first), NodePlace(node: pair.second))
      if let layer = try compare(a, b) { try report(layer) }
    }
  }

  /// Both runs side by side.
  ///
  /// Where one goes round a loop more often, or calls what the other does not, it goes on alone until both
  /// are at the same node of the main subgraph again.
  private func runInStep(_ report: (LayerComparison) throws -> Void) throws {
    // Sets of a hundred thousand nodes are not made anew for each.
    let known = (first.places, second.places)
    var (a, b) = (try first.next(), try second.next())
    /// Whether a subgraph that is being called made something else.
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

  /// Which side has to go on where both are at different nodes; one of them at least.
  private static func skips(
    _ x: NodePlace, _ y: NodePlace, _ known: (Set<NodePlace>?, Set<NodePlace>?)
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

  private func compare(_ a: NodePlace, _ b: NodePlace) throws -> LayerComparison? {
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
    // Nothing was kept of a node that a trace leaves out, or that the plan hands on in pieces.
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

  /// What a subgraph has on both sides.
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

  /// The difference of the result that differs most.
  private func worst(_ results: [Pair]) -> TensorDifference? {
    results.compactMap { TensorDifference($0.first, $0.second) }.min {
      ($0.signalToNoise, $1.differentCount) < ($1.signalToNoise, $0.differentCount)
    }
  }

  /// What both nodes were given, but for constants: operands at the same positions.
  ///
  /// - Returns: `nil` where one is not there on one of the sides.
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

  /// Computes the second side's node from the first one's operands; or the other way round, where only
  /// that side has a model.
  ///
  /// What the node's types cannot hold of the operands is not its fault: the other side's node is then
  /// computed again too, from what they do hold.
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

  /// What a node makes of the operands that its counterpart is given, in its own types.
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
