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
    /// The numbers are places of the largest ones of several numbers: classes.
    case place
    /// Each number is the largest of several: the score of the best class.
    case largest
    /// Any other operation.
    case other
  }

  /// One operand of a concatenation.
  package struct Part: Sendable, Equatable {
    /// The extent along the axis of the concatenation.
    package let extent: Int
    package let ending: Ending
    /// The constant by which probabilities were multiplied, 100 for percentages; `nil` if the
    /// numbers do not come from probabilities.
    package let probabilityFactor: Float?
  }

  /// The integers that the numbers pass through on their way to the output.
  package struct Rounding: Sendable, Equatable {
    /// The difference between neighbouring numbers.
    package let step: Float
    /// The largest number.
    package let highest: Float
  }

  /// The last operation, if it is the same for all of the numbers.
  package let ending: Ending
  /// The concatenations that made the output, from the last one back along each first operand.
  package let joins: [[Part]]
  /// The result of a detector's post-processing that this output is, if any.
  package let detection: DetectionResult?
  /// The coarsest rounding to integers since the last join; `nil` if there is none.
  package let rounding: Rounding?

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
    rounding = trail.roundings(of: tensor).max { $0.step < $1.step }
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
    let last = path(from: tensor, throughJoins: throughJoins).last ?? tensor
    guard last >= 0, graph.producers[last] >= 0 else { return nil }
    let node = graph.nodes[graph.producers[last]]
    return (node, node.outputs.firstIndex(of: last) ?? 0)
  }

  /// Returns the tensors that hold the same numbers, from `tensor` back to the one that a node
  /// computes.
  private func path(from tensor: Int, throughJoins: Bool) -> [Int] {
    var path = [tensor]
    // The loop ends, because every node comes after the nodes that it reads from.
    while let tensor = path.last, tensor >= 0, graph.producers[tensor] >= 0 {
      let node = graph.nodes[graph.producers[tensor]]
      let name = node.spec.operatorName
      let handsOn =
        Self.passThroughOperators.contains(name) || throughJoins && Self.joins.contains(name)
      guard handsOn, let source = node.inputs.first else { break }
      path.append(source)
    }
    return path
  }

  /// Returns the roundings to 8 or 16 bits of a tensor's numbers since the last join.
  func roundings(of tensor: Int) -> [OutputFacts.Rounding] {
    path(from: tensor, throughJoins: false).filter { $0 >= 0 }.compactMap { index in
      let spec = graph.tensors[index]
      let highest: Int
      switch spec.type {
      case .uint8: highest = 255
      case .int8: highest = 127
      case .int16: highest = 32_767
      default: return nil
      }
      guard spec.uniformScale > 0 else { return nil }
      return OutputFacts.Rounding(
        step: spec.uniformScale,
        highest: spec.uniformScale * Float(highest &- spec.uniformZeroPoint))
    }
  }

  /// Returns the constant by which the probabilities of a tensor were multiplied; `nil` if it
  /// holds none.
  func probabilityFactor(of tensor: Int) -> Float? {
    var factor: Float = 1
    var tensor = tensor
    while let (node, _) = origin(of: tensor, throughJoins: false) {
      let name = node.spec.operatorName
      if Self.probabilities.contains(name) { return factor }
      guard name == Mul.definition.name, node.inputs.allSatisfy({ $0 >= 0 }),
        let constant = node.inputs.firstIndex(where: { graph.tensors[$0].onlyNumber != nil }),
        let number = graph.tensors[node.inputs[constant]].onlyNumber, node.inputs.count == 2
      else { return nil }
      factor *= number
      tensor = node.inputs[1 - constant]
    }
    return nil
  }

  /// Returns the last operation on a tensor's numbers; `other` if concatenated operands differ in
  /// it.
  mutating func ending(of tensor: Int, depth: Int = 0) -> OutputFacts.Ending {
    if let known = endings[tensor] { return known }
    var found = OutputFacts.Ending.other
    guard depth < Self.maximumJoins else { return found }
    if let (node, slot) = origin(of: tensor, throughJoins: false) {
      if Self.joins.contains(node.spec.operatorName) {
        let endings = node.inputs.map { ending(of: $0, depth: depth + 1) }
        if let first = endings.first, endings.allSatisfy({ $0 == first }) { found = first }
      } else if !isScaledAndBounded(node) {
        found = Self.endings.first { $0.names.contains(node.spec.operatorName) }?.ending ?? .other
        if found == .largest, slot == 1 { found = .place }
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
          OutputFacts.Part(
            extent: extent, ending: ending(of: input),
            probabilityFactor: probabilityFactor(of: input))
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
    (.place, names([ArgExtremum.maximum])),
    // TOPK_V2's second result, the places, is told apart by its slot.
    (.largest, names([Reduction.maximum, TopK.definition])),
  ]

  /// Operators whose results are probabilities.
  private static let probabilities = names([Unary.logistic, Softmax.definition])

  private static func names(_ definitions: [OperatorDefinition]) -> Set<String> {
    Set(definitions.map(\.name))
  }
}

extension TensorSpec {
  /// The real number of a constant with one element, of a type that activations have.
  fileprivate var onlyNumber: Float? {
    guard isConstant, shape.elementCount == 1 else { return nil }
    func real<Integer: BinaryInteger>(_ values: [Integer]?) -> Float? {
      values?.first.map { uniformScale * Float(Int($0) &- uniformZeroPoint) }
    }
    switch type {
    case .float32: return constantValues(Float.self)?.first
    case .int8: return real(constantValues(Int8.self))
    case .uint8: return real(constantValues(UInt8.self))
    case .int16: return real(constantValues(Int16.self))
    default: return nil
    }
  }
}
