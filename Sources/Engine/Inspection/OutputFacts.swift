/// How the numbers of an output came to be.
package struct OutputFacts: Sendable {
  /// The last thing that was done to numbers.
  package enum Ending: Sendable, Equatable {
    /// Each is a probability of its own.
    case sigmoid
    /// They are probabilities of which one is true.
    case softmax
    /// Weighted sums: raw answers, distances, points.
    case linear
    /// Means over a picture, or numbers brought to length one: a description of the picture.
    case summary
    /// Anything else.
    case other
  }

  /// Numbers that were joined with others.
  package struct Part: Sendable, Equatable {
    /// How many there are along the axis on which they were joined.
    package let extent: Int
    package let ending: Ending
  }

  /// The last thing that was done to all of the numbers.
  package let ending: Ending
  /// The joins that made the output, from the last one back along the first operand of each.
  package let joins: [[Part]]
  /// Which result of a detector's post-processing they are, if any.
  package let detection: DetectionResult?

  /// Whether the numbers are probabilities already.
  package var isProbability: Bool { ending == .sigmoid || ending == .softmax }

  /// The parts of the join that gave rows this many columns; `nil` when no join did.
  package func parts(ofColumns count: Int) -> [Part]? {
    joins.first { $0.reduce(0) { $0 + $1.extent } == count }
  }

  /// A result of TFLite_Detection_PostProcess, which has them in one order.
  package struct DetectionResult: Sendable {
    package enum Role: Int, Sendable { case boxes, categories, scores, count }

    package let role: Role
    /// The number of classes, without the background.
    package let categoryCount: Int
    /// The number of boxes that are found at most.
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

/// The way back from an output, through operators that hand on the numbers they get.
private struct OutputTrail {
  let graph: Subgraph
  /// Joins of joins may lead to one tensor in many ways; each is looked at once.
  private var endings: [Int: OutputFacts.Ending] = [:]

  init(graph: Subgraph) { self.graph = graph }

  /// The node that computes a tensor's numbers, and which of its results they are.
  func origin(of tensor: Int, throughJoins: Bool = true) -> (node: Node, slot: Int)? {
    var tensor = tensor
    // An operator comes after those it reads from, so that this ends.
    while tensor >= 0, graph.producers[tensor] >= 0 {
      let node = graph.nodes[graph.producers[tensor]]
      let name = node.spec.operatorName
      let handsOn =
        Self.changesOfForm.contains(name) || throughJoins && Self.joins.contains(name)
      guard handsOn, let source = node.inputs.first else {
        return (node, node.outputs.firstIndex(of: tensor) ?? 0)
      }
      tensor = source
    }
    return nil
  }

  /// The last thing that was done to a tensor's numbers; for joined ones only if it was the same.
  mutating func ending(of tensor: Int, depth: Int = 0) -> OutputFacts.Ending {
    if let known = endings[tensor] { return known }
    var found = OutputFacts.Ending.other
    guard depth < Self.maximumJoins else { return found }
    if let (node, _) = origin(of: tensor, throughJoins: false) {
      if Self.joins.contains(node.spec.operatorName) {
        let endings = node.inputs.map { ending(of: $0, depth: depth + 1) }
        if let first = endings.first, endings.allSatisfy({ $0 == first }) { found = first }
      } else {
        found = Self.endings.first { $0.names.contains(node.spec.operatorName) }?.ending ?? .other
      }
    }
    endings[tensor] = found
    return found
  }

  /// The joins on the way back.
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

  /// How long the operands of a join are along the one axis on which they differ from the result.
  private func extents(of join: Node) -> [Int] {
    let shapes = join.inputs.map { graph.tensors[$0].shape.dimensions }
    let result = graph.tensors[join.outputs[0]].shape.dimensions
    let axis = result.indices.first { axis in
      shapes.allSatisfy { $0.count == result.count } && shapes.contains { $0[axis] != result[axis] }
    }
    return shapes.map { shape in axis.map { shape[$0] } ?? 1 }
  }

  /// Networks join a few times; a file may join joins without end.
  private static let maximumJoins = 16

  /// Operators that hand on the numbers of their first operand.
  private static let changesOfForm = names([
    Reshape.definition, Squeeze.definition, ExpandDims.definition, Dequantize.definition,
    Quantize.definition, Cast.definition, Transpose.definition, StridedSlice.definition,
    Slice.definition, Split.sized,
  ])

  /// Operators that put the numbers of several operands beside each other.
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
