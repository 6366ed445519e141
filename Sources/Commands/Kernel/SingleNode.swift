import OcellusAudit
import OcellusEngine
import OcellusModelFile

/// A node as a model of its own, with what it is shown.
struct SingleNode {
  /// What messages call it.
  let title: String
  let operatorName: String
  /// The model's file.
  let file: [UInt8]
  /// What it is shown, input by input.
  let inputs: [StoredTensor]
  /// What came out in the model that it is from, if it is from one.
  let results: [CapturedNode.Tensor]
  /// Whether floats are computed as the model that it is from has to: with the official bits.
  let isExact: Bool

  /// Why a node cannot be had by itself.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Takes a node out of its model.
  ///
  /// - Throws: `Refusal` where its results depend on more than its operands.
  init(_ node: CapturedNode, of model: Model) throws {
    if let handle = node.operands.first(where: { [.resource, .variant].contains($0.type) }) {
      throw Refusal(
        description: "'\(handle.name)' stands for what other nodes keep: a variable or a table")
    }
    if let state = node.operands.first(where: \.isVariable),
      state.bytes?.contains(where: { $0 != 0 })
        == true
    {
      throw Refusal(description: "'\(state.name)' is a variable that has been set already")
    }
    var known: [Int: ModelWriter.KnownTensor] = [:]
    for tensor in node.operands + node.results {
      known[tensor.index] = .init(
        shape: tensor.shape.dimensions, type: TensorType(named: tensor.type.name),
        constant: tensor.isKnown ? tensor.bytes : nil)
    }
    for result in node.results {
      known[result.index] = .init(
        shape: result.shape.dimensions, type: TensorType(named: result.type.name))
    }
    title = node.title
    operatorName = node.operatorName
    file = try ModelWriter.extracting(
      operator: node.index, ofSubgraph: node.subgraph, from: model.file, knowing: known)
    // Inputs of the model that is written are in the order in which the node names them first.
    inputs = try node.operands.filter { !$0.isKnown && !$0.isVariable }.map { operand in
      guard let bytes = operand.bytes else {
        throw Refusal(description: "'\(operand.name)' is nowhere in memory")
      }
      return StoredTensor(type: operand.type, shape: operand.shape, bytes: bytes)
    }
    results = node.results
    isExact = model.graph.roundsFloats
  }

  /// A node that somebody made, shown made-up values.
  init(title: String, operatorName: String, file: [UInt8]) throws {
    self.title = title
    self.operatorName = operatorName
    self.file = file
    let main = try Interpreter(Model(bytes: file)).main
    inputs = main.inputs.enumerated().map { index, input in
      var stream = FillStream(input: index)
      return StoredTensor(
        type: input.type, shape: input.shape,
        bytes: stream.bytes(of: input.type, count: input.shape.elementCount))
    }
    results = []
    isExact = false
  }

  /// The options with which it computes what it does in its model.
  func options(_ options: Interpreter.Options) -> Interpreter.Options {
    var options = options
    if isExact { options.numerics = .exact }
    return options
  }

  /// Something that runs it, with its inputs set.
  func interpreter(_ options: Interpreter.Options) throws -> Interpreter {
    let interpreter = try Interpreter(Model(bytes: file), options: self.options(options))
    guard interpreter.inputs.count == inputs.count else {
      throw Refusal(
        description: "it takes \(interpreter.inputs.count) operands by itself, not \(inputs.count)")
    }
    for (index, tensor) in inputs.enumerated() {
      try interpreter.main.setInput(at: index, to: tensor)
    }
    return interpreter
  }

  /// The first result that is not what came out in its model, bit by bit; `nil` where all are.
  func difference(_ options: Interpreter.Options) throws -> String? {
    let interpreter = try interpreter(options)
    try interpreter.run()
    for (index, result) in results.enumerated() where result.type != .resource {
      guard let wanted = result.bytes else { continue }
      let isSame = try interpreter.main.withOutputBytes(at: index) { $0.elementsEqual(wanted) }
      if !isSame { return "'\(result.name)' comes out different" }
    }
    return nil
  }
}
