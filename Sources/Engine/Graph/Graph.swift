import OcellusKernelABI

/// A model's subgraphs with every operator decoded and every connection checked.
package struct Graph: Sendable {
  /// By the file's indices; `nil` for subgraphs that nothing can reach or that cannot be run.
  package let subgraphs: [Subgraph?]
  /// The reasons why subgraphs other than the first cannot be run.
  package let problems: GraphProblems
  /// Whether floats are rounded to small integers somewhere.
  ///
  /// There a difference in their last bit may become a whole quantization step.
  package let roundsFloats: Bool
  /// The approximate size of all nodes' weights before packing.
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

  /// Makes the graph that a pass returns: the same operators, connected or stored differently.
  init(_ original: Graph, subgraphs: [Subgraph?]) {
    self.subgraphs = subgraphs
    problems = original.problems
    roundsFloats = original.roundsFloats
  }
}

extension Graph {
  /// Returns how floats are computed when the model runs with these options, except in nodes that
  /// are delegated.
  func numerics(_ options: Interpreter.Options) -> Numerics {
    switch options.numerics {
    case .fast, .bfloat16: roundsFloats ? .exact : .fast
    case .exact, .litert: .exact
    }
  }

  /// Returns whether matrix multiplications of floats round their factors to bfloat16 when the model
  /// runs with these options.
  func multipliesBFloat16(_ options: Interpreter.Options) -> Bool {
    options.numerics == .bfloat16 && !roundsFloats
  }
}

extension NodeSpec {
  /// The size of the node's weights: its constants, except the first operand, which is data.
  ///
  /// The first operand of a lookup, such as a table of words, is not packed. A float16 constant
  /// that is the only operand counts with its size as float32, to which its node converts it.
  fileprivate var weightByteCount: Int {
    var count = 0
    for (position, input) in inputs.enumerated() {
      guard let input, let constant = input.constant else { continue }
      if position > 0 { count += constant.count }
      if inputs.count == 1, input.type == .float16 { count += 2 * constant.count }
    }
    return count
  }

  /// Whether the node mixes floats with small integers: in its weights or in its result.
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

/// The form of a graph, by the passes that it went through.
struct GraphForm: Hashable {
  /// Whether delegated nodes have XNNPACK's arithmetic (`delegatedToXNNPACK`).
  var isDelegated: Bool
  /// Whether some tensors may be stored in other axis orders (`choosingStorageOrders`), some nodes
  /// do other nodes' work (`fusingRowUpdates`), and subgraphs know the constants that calls pass
  /// (`bindingConstantInputs`).
  var isRewritten: Bool
}

/// Tensors and the nodes that compute them, in an order in which the nodes can run.
package struct Subgraph: Sendable {
  package let index: Int
  package let name: String
  package let tensors: [TensorSpec]
  package let inputs: [Int]
  package let outputs: [Int]
  package let nodes: [Node]
  /// For every tensor, the node that computes it, or -1.
  package let producers: [Int]
  /// For every tensor, the last node that reads it; -1 if none does, `Int.max` for outputs.
  package let lastUses: [Int]
  /// For every tensor, the number of operands and outputs of the subgraph that are this tensor.
  package let useCounts: [Int]
  /// The axis orders of the tensors that are not stored in the order of the file.
  var storedOrders: [Int: AxisOrder] = [:]
  /// The constants that all nodes that call the subgraph pass to it, by the inputs that they are.
  var constantInputs: [Int: TensorSpec] = [:]
}
