import OcellusKernelABI

/// A model's subgraphs with every operator decoded and every connection checked.
package struct Graph: Sendable {
  /// By the file's numbering; `nil` for subgraphs that nothing can reach, and for those that cannot be run.
  package let subgraphs: [Subgraph?]
  /// Why subgraphs beside the first cannot be run.
  package let problems: GraphProblems
  /// Whether floats are rounded to small integers somewhere, which makes steps of differences in
  /// their last bit.
  package let roundsFloats: Bool
  /// About what the weights of all nodes take, unpacked.
  var weightByteCount: Int {
    var count = 0
    for case let subgraph? in subgraphs {
      for node in subgraph.nodes { count += node.spec.weightByteCount }
    }
    return count
  }

  init(subgraphs: [Subgraph?], problems: GraphProblems) {
    self.subgraphs = subgraphs
    self.problems = problems
    roundsFloats = subgraphs.contains { $0?.nodes.contains(where: \.spec.roundsFloats) ?? false }
  }

  /// What a pass makes of a graph: the same operators, connected or stored otherwise.
  init(_ original: Graph, subgraphs: [Subgraph?]) {
    self.subgraphs = subgraphs
    problems = original.problems
    roundsFloats = original.roundsFloats
  }
}

extension Graph {
  /// How floats are computed when the model is run so.
  func numerics(_ options: Interpreter.Options) -> Numerics {
    options.numerics == .exact || roundsFloats ? .exact : .fast
  }
}

extension NodeSpec {
  /// What the constants beside the first operand take, which is data: a table of words is no
  /// weights.
  ///
  /// Floats of half precision become whole ones first, by a node that has nothing else.
  fileprivate var weightByteCount: Int {
    var count = 0
    for (position, input) in inputs.enumerated() {
      guard let input, let constant = input.constant else { continue }
      if position > 0 { count += constant.count }
      if inputs.count == 1, input.type == .float16 { count += 2 * constant.count }
    }
    return count
  }

  /// Whether floats meet small integers here: quantized weights, or a quantized result.
  fileprivate var roundsFloats: Bool {
    guard optionalInput(0)?.type == .float32 else { return false }
    let tensors = inputs.compactMap { $0 } + outputs
    return tensors.contains { tensor in
      switch tensor.type {
      case .int8, .uint8, .int4, .uint4, .int2, .int16: true
      default: false
      }
    }
  }
}

/// What passes have made of a graph.
enum GraphForm {
  /// As in the file.
  case original
  /// Some tensors lie in other orders (`withStoredOrders`), and some nodes do others' work
  /// (`withReplacedRows`).
  case rewritten
}

/// Tensors and the nodes that compute them, in an order in which they can run.
package struct Subgraph: Sendable {
  package let index: Int
  package let name: String
  package let tensors: [TensorSpec]
  package let inputs: [Int]
  package let outputs: [Int]
  package let nodes: [Node]
  /// For every tensor the node that computes it, or -1.
  package let producers: [Int]
  /// For every tensor the last node that reads it, -1 if none does, `Int.max` for outputs.
  package let lastUses: [Int]
  /// For every tensor how often nodes and outputs of the subgraph name it.
  package let useCounts: [Int]
  /// How tensors lie in memory whose axes are not in the order of the file.
  var storedOrders: [Int: AxisOrder] = [:]
}
