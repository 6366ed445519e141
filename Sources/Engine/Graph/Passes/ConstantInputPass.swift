extension Graph {
  /// Returns the graph with the inputs of called subgraphs that are the same constant in every call.
  ///
  /// A recurrent network that was converted as a loop passes its weights to the loop's body. Known
  /// there, they are transposed and packed once, and not in every iteration.
  func bindingConstantInputs() -> Graph {
    guard subgraphs.count > 1 else { return self }
    var pass = ConstantInputPass(subgraphs)
    return Graph(self, subgraphs: subgraphs.map { $0.map { pass.rewriting($0) } })
  }
}

private struct ConstantInputPass {
  /// A node that calls a subgraph.
  private struct Call {
    let caller: Subgraph
    let node: Node
  }

  private let subgraphs: [Subgraph?]
  /// The calls of each subgraph.
  private var calls: [[Call]]
  /// The constant inputs of the subgraphs that were visited.
  private var known: [[Int: TensorSpec]?]

  init(_ subgraphs: [Subgraph?]) {
    self.subgraphs = subgraphs
    calls = .init(repeating: [], count: subgraphs.count)
    known = .init(repeating: nil, count: subgraphs.count)
    for case let caller? in subgraphs {
      for node in caller.nodes {
        for callee in Set(node.operation.callees) {
          calls[callee].append(Call(caller: caller, node: node))
        }
      }
    }
  }

  mutating func rewriting(_ subgraph: Subgraph) -> Subgraph {
    var rewritten = subgraph
    rewritten.constantInputs = constantInputs(of: subgraph)
    return rewritten
  }

  /// Returns the constants that every call passes, by the inputs that they are; calls have no cycles.
  private mutating func constantInputs(of subgraph: Subgraph) -> [Int: TensorSpec] {
    if let inputs = known[subgraph.index] { return inputs }
    var constants: [Int: TensorSpec] = [:]
    for (position, input) in subgraph.inputs.enumerated() {
      if let constant = constant(at: position, of: subgraph) { constants[input] = constant }
    }
    known[subgraph.index] = constants
    return constants
  }

  /// Returns the constant that every call passes as the input at a position, or `nil`.
  private mutating func constant(at position: Int, of subgraph: Subgraph) -> TensorSpec? {
    var shared: TensorSpec?
    for call in calls[subgraph.index] {
      guard let constant = constant(at: position, passedBy: call),
        shared?.isSameConstant(as: constant) != false
      else { return nil }
      shared = constant
    }
    return shared
  }

  private mutating func constant(at position: Int, passedBy call: Call) -> TensorSpec? {
    let operation = call.node.operation
    if let loop = operation as? While, !loop.keepsVariable(at: position, in: subgraphs) {
      return nil
    }
    let operand = call.node.inputs[operation.firstArgument + position]
    guard operand >= 0 else { return nil }
    let tensor = call.caller.tensors[operand]
    if tensor.isDenseConstant { return tensor }
    return constantInputs(of: call.caller)[operand]
  }
}

extension TensorSpec {
  /// Whether the tensor is a constant all of whose elements are in the file, one after the other.
  fileprivate var isDenseConstant: Bool {
    guard let constant, constant.baseAddress != nil, sparsity == nil, shape.isReasonable,
      let byteCount = type.byteCount(ofElements: shape.elementCount)
    else { return false }
    return byteCount <= constant.count
  }

  fileprivate func isSameConstant(as other: TensorSpec) -> Bool {
    constant?.baseAddress == other.constant?.baseAddress && shape == other.shape
      && type == other.type
  }
}
