/// Hints in a graph at how the numbers of an output were computed.
package struct OutputFacts: Sendable {
  /// The last operation on the numbers.
  package enum Ending: Sendable, Equatable {
    /// Each number is a probability by itself.
    case sigmoid
    /// The numbers are probabilities of which one is true.
    case softmax
    /// The numbers are weighted sums: logits, distances or coordinates.
    case linear
    /// The numbers are means over a picture, or a vector of length one: an embedding of the
    /// picture.
    case summary
    /// Any other operation.
    case other
  }

  /// One operand of a concatenation.
  package struct Part: Sendable, Equatable {
    /// The extent along the axis of the concatenation.
    package let extent: Int
    package let ending: Ending
  }

  /// The last operation, if it is the same for all of the numbers.
  package let ending: Ending
  /// The concatenations that made the output, from the last one back along each first operand.
  package let joins: [[Part]]
  /// The result of a detector's post-processing that this output is, if any.
  package let detection: DetectionResult?

  /// Whether the numbers are probabilities already.
  package var isProbability: Bool { ending == .sigmoid || ending == .softmax }

  /// Returns the operands of the concatenation that made rows of `count` columns; `nil` if none
  /// did.
  package func parts(ofColumns count: Int) -> [Part]? {
    joins.first { $0.reduce(0) { $0 + $1.extent } == count }
  }

  /// A result of TFLite_Detection_PostProcess, which has a fixed order of results.
  package struct DetectionResult: Sendable {
    package enum Role: Int, Sendable { case boxes, categories, scores, count }

    package let role: Role
    /// The number of classes without the background.
    package let categoryCount: Int
    /// The most boxes that the detector returns.
    package let maximumResults: Int
  }

  init(of tensor: Int, in graph: Subgraph) {
    var trail = OutputTrail(graph: graph)
    ending = trail.ending(of: tensor)
    joins = trail.joins(of: tensor)
    detection = trail.origin(of: tensor).flatMap { node, slot in
      guard let operation = node.operation as? DetectionPostProcess,
        let role = DetectionResult.Role(rawValue: slot)
      else { return nil }
      return DetectionResult(
        role: role, categoryCount: operation.categoryCount,
        maximumResults: operation.maximumResults)
    }
  }
}

/// The path back from an output, through operators that pass on the numbers of their operands.
private struct OutputTrail {
  let graph: Subgraph
  /// The endings found so far: many paths of concatenations may lead to the same tensor.
  private var endings: [Int: OutputFacts.Ending] = [:]

  init(graph: Subgraph) { self.graph = graph }

  /// Returns the node that computes a tensor's numbers, and which of its results they are.
  func origin(of tensor: Int, throughJoins: Bool = true) -> (node: Node, slot: Int)? {
    var tensor = tensor
    // The loop ends, because every node comes after the nodes that it reads from.
    while tensor >= 0, graph.producers[tensor] >= 0 {
      let node = graph.nodes[graph.producers[tensor]]
      let name = node.spec.operatorName
      let handsOn =
        Self.passThroughOperators.contains(name) || throughJoins && Self.joins.contains(name)
      guard handsOn, let source = node.inputs.first else {
        return (node, node.outputs.firstIndex(of: tensor) ?? 0)
      }
      tensor = source
    }
    return nil
  }

  /// Returns the last operation on a tensor's numbers; `other` if concatenated operands differ in
  /// it.
  mutating func ending(of tensor: Int, depth: Int = 0) -> OutputFacts.Ending {
    if let known = endings[tensor] { return known }
    var found = OutputFacts.Ending.other
    guard depth < Self.maximumJoins else { return found }
    if let (node, _) = origin(of: tensor, throughJoins: false) {
      if Self.joins.contains(node.spec.operatorName) {
        let endings = node.inputs.map { ending(of: $0, depth: depth + 1) }
        if let first = endings.first, endings.allSatisfy({ $0 == first }) { found = first }
      } else if !isScaledAndBounded(node) {
        found = Self.endings.first { $0.names.contains(node.spec.operatorName) }?.ending ?? .other
      }
    }
    endings[tensor] = found
    return found
  }

  /// Whether a node adds one constant number to a bounded activation, scaled or not: `127.5 · tanh + 127.5`.
  ///
  /// Its results are a picture's values, not weighted sums.
  private func isScaledAndBounded(_ node: Node) -> Bool {
    var node = node
    var isScaled = false
    while Self.scalings.contains(node.spec.operatorName), node.inputs.count == 2,
      let factor = node.inputs.first(where: { isConstantNumber($0) }),
      let source = node.inputs.first(where: { $0 != factor }),
      let previous = origin(of: source, throughJoins: false)?.node
    {
      node = previous
      isScaled = true
    }
    return isScaled && Self.boundedActivations.contains(node.spec.operatorName)
  }

  private func isConstantNumber(_ tensor: Int) -> Bool {
    tensor >= 0 && graph.tensors[tensor].constant != nil
      && graph.tensors[tensor].shape.dimensions.allSatisfy { $0 == 1 }
  }

  /// Returns the concatenations on the path back.
  mutating func joins(of tensor: Int) -> [[OutputFacts.Part]] {
    var joins: [[OutputFacts.Part]] = []
    var tensor = tensor
    while joins.count < Self.maximumJoins,
      let (node, _) = origin(of: tensor, throughJoins: false),
      Self.joins.contains(node.spec.operatorName), let source = node.inputs.first
    {
      joins.append(
        zip(node.inputs, extents(of: node)).map { input, extent in
          OutputFacts.Part(extent: extent, ending: ending(of: input))
        })
      tensor = source
    }
    return joins
  }

  /// Returns the operands' extents along the only axis on which they differ from the result.
  private func extents(of join: Node) -> [Int] {
    let shapes = join.inputs.map { graph.tensors[$0].shape.dimensions }
    let result = graph.tensors[join.outputs[0]].shape.dimensions
    let axis = result.indices.first { axis in
      shapes.allSatisfy { $0.count == result.count } && shapes.contains { $0[axis] != result[axis] }
    }
    return shapes.map { shape in axis.map { shape[$0] } ?? 1 }
  }

  /// The limit on concatenations: networks have a few on a path, a file may have any number.
  private static let maximumJoins = 16

  /// Operators that pass on the numbers of their first operand.
  private static let passThroughOperators = names([
    Reshape.definition, Squeeze.definition, ExpandDims.definition, Dequantize.definition,
    Quantize.definition, Cast.definition, Transpose.definition, StridedSlice.definition,
    Slice.definition, Split.sized,
  ])

  /// Operators that scale or shift the numbers of an operand.
  private static let scalings = names([Addition.add, Mul.definition])

  /// Activations with a smallest and a largest value.
  private static let boundedActivations = names([Unary.tanh, Unary.logistic])

  /// Operators that join the numbers of several operands.
  private static let joins = names([Concatenation.definition, Pack.definition])

  private static let endings: [(ending: OutputFacts.Ending, names: Set<String>)] = [
    (.sigmoid, names([Unary.logistic])),
    (.softmax, names([Softmax.definition])),
    (
      .linear,
      names([
        FullyConnected.definition, Conv2D.definition, DepthwiseConv2D.definition,
        TransposeConv.definition, BatchMatMul.definition, Addition.add,
      ])
    ),
    (.summary, names([Reduction.mean, Pool2D.average, L2Normalization.definition])),
  ]

  private static func names(_ definitions: [OperatorDefinition]) -> Set<String> {
    Set(definitions.map(\.name))
  }
}
